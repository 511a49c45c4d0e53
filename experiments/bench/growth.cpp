#include "experiments/bench/growth.h"

#include "experiments/bench/rotating_kv.h"
#include "reference/kv_cache/metered_memory.h"
#include "reference/parallel/prepared.h"
#include "reference/tensor/random.h"

namespace headroom {
namespace {

// The shape once for each size, with that size set by `set`.
template <class Set>
std::vector<BenchRow> series(const GrowthSettings& s, const std::string& what, std::span<const Index> sizes, Set set)
{
    s.bench.progress("growth " + what);
    std::vector<BenchCase> cases;
    for (const Index size : sizes) {
        BenchCase& c = cases.emplace_back(s.shape);
        c.name = "growth/" + what + "/" + std::to_string(size);
        set(c, size);
    }
    return bench_together(cases, s.bench.type.value_or(DType::f32), s.bench);
}

} // namespace

TileMemory tile_memory(const BenchCase& c, int threads)
{
    const RotatingKv kv({c.B, c.Hkv, c.S, c.D}, DType::f32, 1);
    const StoredTensor q({c.B, c.H, c.L, c.D}, DType::f32);
    const std::vector<Index> lengths(static_cast<std::size_t>(c.B), c.S);
    AttentionProblem problem{.q = q.view(), .kv = kv.view(0), .options = {}};
    problem.kv.sequences = c.B;
    problem.kv.length = lengths.data();
    MeteredMemory output(nullptr), tiles(nullptr);
    prepare_parallel(problem, {.threads = threads}, {.output = &output, .tiles = &tiles});
    return {c.L, tiles.peak, output.peak, c.B * c.H * c.L * c.S * Index{sizeof(float)}};
}

Growth growth(const GrowthSettings& s)
{
    Growth g;
    g.keys = s.keys, g.heads = s.heads, g.tokens = s.tokens;
    g.with_keys = series(s, "keys", s.keys, [](BenchCase& c, Index n) { c.S = n; });
    g.with_heads = series(s, "heads", s.heads, [](BenchCase& c, Index n) { c.H = n; });
    g.prefill = series(s, "prefill", s.tokens, [](BenchCase& c, Index n) { c.L = c.S = n; });
    const BenchRow& longest = g.prefill.back();
    g.flops_per_ms = static_cast<double>(longest.flops) / longest.time.limit;
    for (const Index n : s.memory_tokens) {
        BenchCase c = s.shape;
        c.L = c.S = n;
        g.memory.push_back(tile_memory(c, s.bench.threads));
    }
    return g;
}

std::vector<Sharing> sharing(const BenchCase& shape, std::span<const Index> kv_heads, const BenchSettings& settings)
{
    std::vector<Sharing> all;
    for (const DType type : settings.type ? std::vector{*settings.type} : shape.types) {
        settings.progress("sharing " + std::string(name(type)));
        std::vector<BenchCase> cases;
        for (const Index n : kv_heads) {
            BenchCase& c = cases.emplace_back(shape);
            c.Hkv = n;
            c.name = "sharing/" + (n == c.H ? "MHA" : n == 1 ? "MQA" : "GQA(" + std::to_string(n) + ")");
        }
        const std::vector<BenchRow> rows = bench_together(cases, type, settings);
        const BenchRow& mha = rows.front();
        for (std::size_t n = 0; n < rows.size(); ++n)
            all.push_back({.row = rows[n],
                           .kv_heads = kv_heads[n],
                           .ideal = static_cast<double>(mha.bytes) / static_cast<double>(rows[n].bytes),
                           .achieved = median_ratio(mha.time.blocks, rows[n].time.blocks)});
    }
    return all;
}

} // namespace headroom
