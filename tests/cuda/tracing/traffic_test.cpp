// What the steps of the ladder claim about memory, as the tracer counts it: how often K and V are read, whether in full
// sectors, and where shared memory has no bank conflicts.
#include "experiments/tracing.h"
#include "reference/contract/implementation.h"
#include "reference/verification/cases.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace headroom;

namespace {

constexpr Index group_size = 4;

// Every decode step on one problem that all of them take: 8 query heads, 2 KV heads, D 64.
TraceSettings decode(std::string steps, Index keys)
{
    TraceSettings s;
    s.implementations = std::move(steps), s.keys = keys, s.event_blocks = 0;
    s.options.causal = Causal::none;
    return s;
}
TraceSettings prefill(std::string steps, Index tokens)
{
    TraceSettings s = decode(std::move(steps), tokens);
    s.queries = tokens, s.q_heads = 2, s.kv_heads = 1;
    return s;
}

double times_read(const TracedStep& step, const std::string& part)
{
    const Index stored = step.lengths[0] * step.shape.Hkv * step.shape.D * byte_size(step.type);
    return static_cast<double>(bytes_read(step, part)) / static_cast<double>(stored);
}

bool is_kv(const KernelTrace& launch, const TracedSite& site)
{
    if (site.buffer < 0) return false;
    const std::string& label = launch.buffers[static_cast<std::size_t>(site.buffer)].label;
    return label == "k" || label == "v";
}

template <class Look> void each_site(const TracedStep& step, Look look)
{
    for (const KernelTrace& launch : step.launches)
        for (const TracedSite& site : launch.sites) {
            INFO(step.step << ", " << launch.step << ", " << site.file << ":" << site.line);
            look(launch, site);
        }
}

} // namespace

TEST_CASE("steps without group sharing read K and V once for every query head, the others exactly once")
{
    for (const Index keys : {256, 199}) { // whole tiles, and not
        const Traces traces = trace(decode("decode/*", keys));
        REQUIRE(traces.refused.empty());
        REQUIRE(traces.recording.kernels.size() == 10);
        for (const TracedStep& step : traces.recording.kernels) {
            INFO(step.step << ", " << keys << " keys");
            const bool shares = step.step > "decode/02_online_softmax";
            CHECK(times_read(step, "k") == (shares ? 1 : group_size));
            CHECK(times_read(step, "v") == (shares ? 1 : group_size));
        }
    }
}

TEST_CASE("prefill reads K and V as often as each step says")
{
    const Index group = 2;
    const auto read = [&](const std::string& step, Index L, Index head_dim = 64) {
        TraceSettings s = prefill(step, L);
        s.head_dim = head_dim;
        return times_read(trace(s).recording.kernels.at(0), "k");
    };
    CHECK(read("prefill/01_naive", 32) == 32 * group);
    CHECK(read("prefill/02_shared_tiles", 64) == 64 / 16 * group);
    CHECK(read("prefill/03_online_softmax", 64) == 64 / 16 * group);
    CHECK(read("prefill/04_flash_mma", 128) == 128 * group / 64);
    CHECK(read("prefill/05_flash_wgmma", 256, 128) == 256 / 128 * group);
}

TEST_CASE("a causal prefill on tensor cores reads about half")
{
    TraceSettings s = prefill("prefill/04_flash_mma", 256);
    const double all = times_read(trace(s).recording.kernels[0], "k");
    s.options.causal = Causal::bottom_right;
    const double causal = times_read(trace(s).recording.kernels[0], "k");
    CHECK(causal < 0.7 * all);
    CHECK(causal >= 0.5 * all);
}

TEST_CASE("steps that load 16 bytes per lane use every byte of the sectors they move, and the naive step does not")
{
    const Traces traces = trace(decode("decode/*", 256));
    for (const TracedStep& step : traces.recording.kernels) {
        Index sectors = 0, ideal = 0;
        each_site(step, [&](const KernelTrace& launch, const TracedSite& site) {
            if (!is_kv(launch, site)) return;
            sectors += site.sectors, ideal += site.ideal_sectors;
        });
        INFO(step.step);
        REQUIRE(ideal > 0);
        if (step.step == "decode/01_naive")
            CHECK(sectors > 4 * ideal); // K one number of each sector, V whole ones
        else
            CHECK(sectors == ideal);
    }
    for (const std::string step : {"prefill/02_shared_tiles", "prefill/03_online_softmax", "prefill/04_flash_mma"})
        each_site(trace(prefill(step, 64)).recording.kernels.at(0),
                  [](const KernelTrace& launch, const TracedSite& site) {
                      if (is_kv(launch, site)) CHECK(site.sectors == site.ideal_sectors);
                  });
}

TEST_CASE("rings and tiles of shared memory have no bank conflicts where a step claims none")
{
    // Asynchronous copies into them, and what ldmatrix and wgmma read. The merge of warps at the end claims nothing.
    const auto reads_tiles = [](const std::string& file) {
        for (const char* name : {"tile_products.h", "10_tma_ring.cu", "04_flash_mma.cu", "05_flash_wgmma.cu"})
            if (file == name) return true;
        return false;
    };
    const auto expect_none = [&](const Traces& traces) {
        for (const TracedStep& step : traces.recording.kernels) {
            Index looked_at = 0;
            each_site(step, [&](const KernelTrace&, const TracedSite& site) {
                if (site.space != Space::shared) return;
                if (site.op != headroom::Op::async_copy && !reads_tiles(site.file)) return;
                ++looked_at;
                CHECK(site.wavefronts == site.ideal_wavefronts);
            });
            INFO(step.step);
            CHECK(looked_at > 0);
        }
    };
    for (const Index head_dim : {64, 128}) {
        TraceSettings s = decode("decode/0[6-9]*", 256);
        s.head_dim = head_dim;
        expect_none(trace(s));
        s.implementations = "decode/10*";
        expect_none(trace(s));
        s = prefill("prefill/0[45]*", 150); // 05 zeroes rows behind the end
        s.head_dim = head_dim;
        expect_none(trace(s));
    }
}

TEST_CASE("reading tiles of plain floats has no bank conflicts: their rows are one word longer")
{
    for (const std::string name : {"prefill/02_shared_tiles", "prefill/03_online_softmax"})
        each_site(trace(prefill(name, 64)).recording.kernels.at(0), [](const KernelTrace&, const TracedSite& site) {
            if (site.space == Space::shared && site.op == headroom::Op::load)
                CHECK(site.wavefronts == site.ideal_wavefronts);
        });
}

TEST_CASE("no step races, reads what nobody wrote or leaves its buffers")
{
    for (const cuda::TraceableStep& step : cuda::traceable_steps()) {
        int ran = 0;
        for (const Case& c : cases()) {
            if (!c.quick || ran == 2) continue;
            const PosedProblem posed(c.recipe);
            try {
                for (const KernelTrace& launch : step.trace(posed.problem(), 0).launches) {
                    INFO(step.name << ", " << c.name);
                    CHECK(launch.faults == std::vector<std::string>());
                }
                ++ran;
            } catch (const Unsupported&) {
            }
        }
        INFO(step.name);
        CHECK(ran > 0);
    }
}
