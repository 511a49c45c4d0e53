#include "reference/attention/attention.h"
#include "reference/recording/recorded.h"
#include "reference/tensor/files.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"

using namespace headroom;

namespace {

// Two steps of a GQA lane through a cache that grows.
Recording sample()
{
    Random random(3);
    const KvGeometry geometry{
        .layers = 1, .sequences = 2, .kv_heads = 2, .head_dim = 3, .value_dim = 5, .type = DType::f32};
    const auto cache = cache_kinds()[0].make(geometry, {});
    Lane lane{.name = "gqa", .cache = "concat", .detail = "", .q_heads = 4, .geometry = geometry, .steps = {}};
    Index past = 0;
    for (const Index added : {Index{3}, Index{1}}) {
        RecordedStep step{.past = past,
                          .added = added,
                          .token = "fox",
                          .layers = {},
                          .counters = {},
                          .events = {},
                          .slot = {},
                          .position = {},
                          .ms = 1.5};
        const AttentionFunction watched = recorded(attention, step.layers, {0});
        cache->append(random_uniform({2, 2, added, 3}, random), random_uniform({2, 2, added, 5}, random));
        const Tensor q = random_uniform({2, 4, added, 3}, random);
        watched({.q = view(q), .kv = cache->view(0), .options = {}});
        record_slots(cache->view(0), step);
        step.counters = cache->counters();
        step.events = cache->take_events();
        lane.steps.push_back(std::move(step));
        past += added;
    }
    Lane paged{.name = "paged", .cache = "paged", .detail = "block 4", .q_heads = 2, .geometry = geometry, .steps = {}};
    paged.steps.push_back({.past = 0,
                           .added = 1,
                           .token = "",
                           .layers = {},
                           .counters = {.live = 7},
                           .events = {},
                           .slot = {},
                           .position = {},
                           .storage_error = 0.25});
    Recording recording{.title = "a test", .command = "headroom record", .lanes = {std::move(lane)}};
    recording.caches.push_back(std::move(paged));
    recording.models.push_back({.name = "a model", .source = "here", .config = "{}"});
    RecordedCheck check{.implementation = "decode/x",
                        .executor = "simt",
                        .case_name = "small",
                        .dtype = "bf16",
                        .status = "failed",
                        .reason = "why",
                        .stages = {}};
    check.stages.push_back({.stage = "output",
                            .got = random_uniform({1, 2, 1, 3}, random),
                            .expected = random_uniform({1, 2, 1, 3}, random),
                            .bound = 0.5,
                            .mean_bound = 0.1,
                            .reason = "because",
                            .complaint = "too far"});
    recording.checks.push_back(std::move(check));
    return recording;
}

struct TemporaryFile {
    std::filesystem::path path = std::filesystem::temp_directory_path() / "headroom_recording_test.safetensors";
    ~TemporaryFile() { std::filesystem::remove(path); }
};

bool equal(const Tensor& a, const Tensor& b)
{
    return a.shape() == b.shape() && std::ranges::equal(a.values(), b.values());
}

} // namespace

TEST_CASE("a recording survives writing and reading, every number of it")
{
    const Recording before = sample();
    const TemporaryFile file;
    write_recording(before, file.path);
    const Recording after = read_recording(file.path);
    CHECK(after.title == before.title);
    REQUIRE(after.lanes.size() == 1);
    REQUIRE(after.lanes[0].steps.size() == 2);
    CHECK(after.lanes[0].geometry.value_dim == 5);
    for (std::size_t s = 0; s < 2; ++s) {
        const RecordedStep &a = after.lanes[0].steps[s], &b = before.lanes[0].steps[s];
        CHECK(a.token == "fox");
        CHECK(a.ms == 1.5);
        CHECK(a.counters.live == b.counters.live);
        CHECK(a.counters.copied == b.counters.copied);
        CHECK(a.slots == b.slots);
        CHECK(equal(a.slot, b.slot));
        REQUIRE(a.layers.size() == 1);
        CHECK(equal(a.layers[0].q, b.layers[0].q));
        CHECK(equal(a.layers[0].new_v, b.layers[0].new_v));
        for (const Stage& stage : stages())
            CHECK(equal(a.layers[0].stages.*stage.tensor, b.layers[0].stages.*stage.tensor));
    }
}

TEST_CASE("caches, models and checks survive writing and reading")
{
    const Recording before = sample();
    const TemporaryFile file;
    write_recording(before, file.path);
    const Recording after = read_recording(file.path);
    REQUIRE(after.caches.size() == 1);
    CHECK(after.caches[0].detail == "block 4");
    CHECK(after.caches[0].steps.at(0).storage_error == 0.25);
    CHECK(after.caches[0].steps.at(0).counters.live == 7);
    REQUIRE(after.models.size() == 1);
    CHECK(after.models[0].config == "{}");
    REQUIRE(after.checks.size() == 1);
    CHECK(after.checks[0].dtype == "bf16");
    const RecordedStage &a = after.checks[0].stages.at(0), &b = before.checks[0].stages.at(0);
    CHECK(a.complaint == "too far");
    CHECK(a.bound == 0.5);
    CHECK(equal(a.got, b.got));
    CHECK(equal(a.expected, b.expected));
}

TEST_CASE("two lanes of one name are refused: their tensors would be the same")
{
    Recording recording = sample();
    recording.caches[0].name = recording.lanes[0].name;
    const TemporaryFile file;
    CHECK_THROWS_AS(write_recording(recording, file.path), std::logic_error);
}

TEST_CASE("what each step added makes the whole cache")
{
    const Recording recording = sample();
    const Tensor keys = keys_until(recording.lanes[0], 1, 0);
    CHECK(keys.shape() == Shape{2, 2, 4, 3});
    CHECK(keys(1, 1, 3, 2) == recording.lanes[0].steps[1].layers[0].new_k(1, 1, 0, 2));
    CHECK(keys_until(recording.lanes[0], 0, 0).extent(2) == 3);
}

TEST_CASE("a damaged recording is refused in one line or reads as something consistent")
{
    const TemporaryFile file;
    write_recording(sample(), file.path);
    const std::vector<std::byte> good = read_file(file.path);
    Random random(11);
    int refused = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<std::byte> bad = good;
        if (round % 4 == 0)
            bad.resize(static_cast<std::size_t>(random.integer(0, static_cast<Index>(good.size()) - 1)));
        else
            for (Index i = random.integer(1, 4); i > 0; --i)
                bad[static_cast<std::size_t>(random.integer(0, 3000))] =
                    static_cast<std::byte>(random.integer(32, 126));
        write_file(file.path, bad);
        try {
            read_recording(file.path);
        } catch (const std::invalid_argument& error) {
            ++refused;
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(refused > 200);
}
