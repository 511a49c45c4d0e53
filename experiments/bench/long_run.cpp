#include "experiments/bench/long_run.h"

#include "experiments/bench/decode_layers.h"
#include <algorithm>

namespace headroom {
namespace {

// All tokens again, bound by arithmetic. What takes seconds is done once.
BenchRow recompute(const LayerShape& shape, int threads)
{
    reset_peak_memory();
    AttentionLayer layer(shape, false, ScoreMemory::tiled, threads);
    const auto flops = static_cast<double>(layer.flops(false)), sample = std::min(flops, 2e9);
    const bool slow = flops > 5e10;
    const Alternation how{
        .rounds = slow ? 1 : 5, .block_ms = slow ? 0.0 : 20.0, .launches = slow ? 1 : 3, .warm_up = slow ? 0 : 1};
    BenchRow row{.case_name = "",
                 .impl = "parallel",
                 .type = DType::f32,
                 .time = alternate([&](int) { layer.decode_step(); },
                                   [&](int) { return arithmetic_ms(sample, threads) * flops / sample; }, how),
                 .tokens = shape.sequences,
                 .bytes = layer.decode_bytes(),
                 .flops = layer.flops(false),
                 .peak_rss_bytes = 0};
    row.peak_rss_bytes = peak_memory_bytes();
    return row;
}

} // namespace

std::vector<LongPoint> long_run(const LongSettings& settings)
{
    const Index H = settings.shape.q_heads, few = std::min<Index>(4, H);
    const std::vector<std::string> heads{"MHA", "GQA(" + std::to_string(few) + ")", "MQA"};
    std::vector<LayerShape> shapes;
    for (const Index kv_heads : {H, few, Index{1}}) shapes.emplace_back(settings.shape).kv_heads = kv_heads;

    std::vector<LongPoint> points;
    for (const bool cached : {true, false})
        for (const Index tokens : settings.lengths) {
            const std::string where = (cached ? "/cache/" : "/recompute/") + std::to_string(tokens);
            settings.progress("long" + where);
            for (LayerShape& shape : shapes) shape.tokens = tokens;
            std::vector<BenchRow> rows;
            if (cached)
                rows = decode_layers(shapes, settings.threads, settings.alternation, settings.in_cache);
            else
                for (const LayerShape& shape : shapes) rows.push_back(recompute(shape, settings.threads));
            for (std::size_t n = 0; n < heads.size(); ++n) {
                rows[n].case_name = "long/" + heads[n] + where;
                points.push_back({.heads = heads[n], .cached = cached, .tokens = tokens, .row = rows[n]});
            }
        }
    return points;
}

} // namespace headroom
