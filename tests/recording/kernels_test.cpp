// Traced kernels in a recording's file.
#include "reference/recording/recording.h"
#include "reference/tensor/files.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace headroom;

namespace {

Recording sample()
{
    KernelTrace launch{.step = "decode_04_split_combine_f32_g2",
                       .grid = {2, 1, 1},
                       .block = {128, 1, 1},
                       .buffers = {{"k", 640}, {"partial_state", 64}},
                       .sites = {{"04_split_combine.cu", 42, Op::load, Space::global, 0, 3, 96, 1536, 48, 0, 0, 24},
                                 {"04_split_combine.cu", 50, Op::store, Space::shared, -1, 1, 32, 128, 0, 2, 1, 0}},
                       .blocks = {{1, 0, 640, 0, 20, 0, 640}},
                       .events = {},
                       .faults = {"a race"}};
    TracedEvent event{.block = 1, .warp = 3, .site = 1, .lanes = 0x80000001, .bytes = 16, .cost = 2, .ideal = 1};
    event.offset.fill(-1);
    event.offset[0] = 5'000'000'000; // more than 32 bits
    event.offset[31] = 16;
    launch.events.push_back(event);

    TracedStep step{.step = "decode/04_split_combine", .idea = "split", .shape = {1, 2, 1, 1, 5, 32, 32}};
    step.lengths = {5};
    step.k_row = Tensor({1, 1, 5}, 128);
    step.v_row = Tensor({1, 1, 5}, 256);
    step.launches.push_back(launch);
    step.parts = {{0, 0, 0, 0, 3}, {1, 0, 0, 3, 5}};
    step.part_max = Tensor({2, 2, 1}, 0.5);
    step.part_sum = Tensor({2, 2, 1}, 1.5);
    step.part_share = Tensor({2, 2, 1}, 0.5);
    step.part_output = Tensor({2, 2, 1, 32}, 7);
    step.output = Tensor({1, 2, 1, 32}, 3);
    step.lse = Tensor({1, 2, 1}, 2);
    return {.title = "a test", .command = "headroom trace", .lanes = {}, .kernels = {step}};
}

void write(const TemporaryFolder& folder, const Recording& recording)
{
    write_recording(recording, folder.path() / "a");
}
Recording read(const TemporaryFolder& folder) { return read_recording(folder.path() / "a"); }

} // namespace

TEST_CASE("a traced kernel survives writing and reading")
{
    const TemporaryFolder folder;
    write(folder, sample());
    const Recording after = read(folder);
    REQUIRE(after.kernels.size() == 1);
    const TracedStep &got = after.kernels[0], want = sample().kernels[0];
    CHECK(got.step == want.step);
    CHECK(got.shape.group_size() == 2);
    CHECK(got.lengths == want.lengths);
    REQUIRE(got.parts.size() == 2);
    CHECK(got.parts[1].from == 3);
    CHECK(got.part_output.shape() == want.part_output.shape());
    CHECK(got.k_row(0, 0, 4) == 128);
    REQUIRE(got.launches.size() == 1);
    const KernelTrace& launch = got.launches[0];
    CHECK(launch.grid == want.launches[0].grid);
    CHECK(launch.faults == want.launches[0].faults);
    CHECK(launch.buffers[1].label == "partial_state");
    REQUIRE(launch.sites.size() == 2);
    CHECK(launch.sites[1].space == Space::shared);
    CHECK(launch.sites[0].ideal_sectors == 24);
    CHECK(launch.sites[1].wavefronts == 2);
    REQUIRE(launch.blocks.size() == 1);
    CHECK(launch.blocks[0].bytes_read == 640);
    REQUIRE(launch.events.size() == 1);
    CHECK(launch.events[0].lanes == 0x80000001);
    CHECK(launch.events[0].offset == want.launches[0].events[0].offset);
}

TEST_CASE("bytes read per byte of keys and values")
{
    const TracedStep step = sample().kernels[0]; // 5 keys of 32 floats, K read 1536 bytes, V not at all
    CHECK(bytes_read(step, "k") == 1536);
    CHECK(bytes_read_per_kv_byte(step) == Approx(1536.0 / (5 * 64 * 4)));
}

TEST_CASE("a traced kernel that contradicts itself is refused")
{
    const TemporaryFolder folder;
    const auto refused = [&](auto change) {
        Recording bad = sample();
        change(bad.kernels[0]);
        write(folder, bad);
        CHECK_THROWS_AS(read(folder), std::invalid_argument);
    };
    refused([](TracedStep& s) { s.launches[0].events[0].site = 2; });
    refused([](TracedStep& s) { s.launches[0].events[0].block = 2; });
    refused([](TracedStep& s) { s.launches[0].events[0].warp = 32; });
    refused([](TracedStep& s) { s.launches[0].events[0].offset[3] = -2; });
    refused([](TracedStep& s) { s.launches[0].sites[0].buffer = 2; });
    refused([](TracedStep& s) { s.launches[0].blocks[0].end = 641; });
    refused([](TracedStep& s) { s.parts[0].hkv = 1; });
    refused([](TracedStep& s) { s.parts.pop_back(); });
    refused([](TracedStep& s) { s.part_output = {}; });
    refused([](TracedStep& s) { s.lengths = {6}; });
    refused([](TracedStep& s) { s.k_row = Tensor({1, 1, 4}); });
    refused([](TracedStep& s) { s.shape.H = 3; });
}

TEST_CASE("a damaged file of traced kernels is refused in one line or reads as something consistent")
{
    const TemporaryFolder folder;
    write(folder, sample());
    const std::vector<std::byte> good = read_file(folder.path() / "a");
    Random random(12);
    int refused = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<std::byte> bad = good;
        for (Index i = random.integer(1, 4); i > 0; --i)
            bad[static_cast<std::size_t>(random.integer(0, static_cast<Index>(good.size()) - 1))] =
                static_cast<std::byte>(random.integer(32, 126));
        write_file(folder.path() / "a", bad);
        try {
            read(folder);
        } catch (const std::invalid_argument& error) {
            ++refused;
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(refused > 200);
}
