#include "experiments/bench/long_run.h"

#include <algorithm>

namespace headroom {
namespace {

LongPoint measure(const std::string& heads, Index kv_heads, bool cached, Index tokens, const LongSettings& settings)
{
    LayerShape shape = settings.shape;
    shape.kv_heads = kv_heads;
    shape.tokens = tokens;
    reset_peak_memory();
    AttentionLayer layer(shape, cached, ScoreMemory::tiled, settings.threads);
    const auto flops = static_cast<double>(layer.flops(false)), sample = std::min(flops, 2e9);
    const auto pieces = layer.read_by_decode();

    // What takes seconds is done once.
    const bool slow = flops > 5e10;
    const Alternation how{
        .rounds = slow ? 1 : 5, .block_ms = slow ? 0.0 : 20.0, .launches = slow ? 1 : 3, .warm_up = slow ? 0 : 1};
    LongPoint point{.heads = heads, .cached = cached, .tokens = tokens, .row = {}};
    BenchRow& row = point.row;
    row.case_name = "long/" + heads + (cached ? "/cache/" : "/recompute/") + std::to_string(tokens);
    row.impl = "parallel";
    row.type = DType::f32;
    row.time = alternate([&](int) { layer.decode_step(); },
                         [&](int) {
                             if (cached) return read_ms(pieces, settings.threads);
                             return arithmetic_ms(sample, settings.threads) * flops / sample;
                         },
                         how);
    row.bytes = layer.decode_bytes();
    row.flops = layer.flops(false);
    row.peak_rss_bytes = peak_memory_bytes();
    return point;
}

} // namespace

std::vector<LongPoint> long_run(const LongSettings& settings)
{
    const Index H = settings.shape.q_heads, few = std::min<Index>(4, H);
    const std::vector<std::pair<std::string, Index>> kinds{
        {"MHA", H}, {"GQA(" + std::to_string(few) + ")", few}, {"MQA", 1}};
    std::vector<LongPoint> points;
    for (const bool cached : {true, false})
        for (const auto& [heads, kv_heads] : kinds)
            for (const Index tokens : settings.lengths) {
                settings.progress(heads + (cached ? ", cache, " : ", recompute, ") + std::to_string(tokens));
                points.push_back(measure(heads, kv_heads, cached, tokens, settings));
            }
    return points;
}

double ms_at(const std::vector<LongPoint>& points, const std::string& heads, bool cached, Index tokens)
{
    const auto found = std::ranges::find_if(
        points, [&](const LongPoint& p) { return p.heads == heads && p.cached == cached && p.tokens == tokens; });
    return found == points.end() ? 0 : found->row.time.median;
}

} // namespace headroom
