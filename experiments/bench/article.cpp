#include "experiments/bench/article.h"

#include "experiments/bench/decode_layers.h"

namespace headroom {
namespace {

struct Kind {
    std::string name;
    Index kv_heads;
    bool cached;
    ScoreMemory scores;
};

ArticleRow measure(const Kind& kind, bool prefill, const ArticleSettings& settings)
{
    LayerShape shape = settings.shape;
    shape.kv_heads = kind.kv_heads;
    reset_peak_memory();
    AttentionLayer layer(shape, kind.cached, kind.scores, settings.threads);
    const bool all = prefill || !kind.cached; // tokens go through the layer, else the last of each sequence
    const auto flops = static_cast<double>(layer.flops(prefill)), sample = std::min(flops, 4e9);
    const auto pieces = layer.read_by_decode();

    ArticleRow row{.name = kind.name,
                   .phase = prefill ? "prefill" : "decode",
                   .row = {},
                   .measured = {},
                   .calculated = layer.calculated(all),
                   .tokens_per_second = 0,
                   .cached = kind.cached};
    row.row.case_name = "article/" + kind.name + "/" + row.phase;
    row.row.impl = "parallel";
    row.row.type = DType::f32;
    row.row.time = alternate([&](int) { prefill ? layer.prefill() : layer.decode_step(); },
                             [&](int) {
                                 return all ? arithmetic_ms(sample, settings.threads) * flops / sample
                                            : read_ms(pieces, settings.threads);
                             },
                             settings.alternation);
    row.row.tokens = prefill ? shape.sequences * shape.tokens : shape.sequences;
    row.row.bytes = layer.decode_bytes();
    row.row.flops = layer.flops(prefill);
    row.row.peak_rss_bytes = peak_memory_bytes();
    row.measured = layer.measured();
    row.tokens_per_second = static_cast<double>(row.row.tokens) / row.row.time.median * 1000;
    return row;
}

} // namespace

std::vector<ArticleRow> article(const ArticleSettings& settings)
{
    const Index H = settings.shape.q_heads, few = std::min<Index>(4, H);
    const std::string gqa = "GQA(" + std::to_string(few) + ")";
    const std::vector<Kind> kinds{{"MHA, whole scores", H, false, ScoreMemory::whole},
                                  {"MHA", H, false, ScoreMemory::tiled},
                                  {"MHA + cache", H, true, ScoreMemory::tiled},
                                  {gqa, few, false, ScoreMemory::tiled},
                                  {gqa + " + cache", few, true, ScoreMemory::tiled}};
    // The steps with a cache are to be compared with each other: in the same rounds.
    std::vector<LayerShape> cached;
    for (const Kind& kind : kinds)
        if (kind.cached) cached.emplace_back(settings.shape).kv_heads = kind.kv_heads;
    settings.progress("decode with a cache");
    const std::vector<BenchRow> steps = decode_layers(cached, settings.threads, settings.steps, settings.in_cache);

    std::vector<ArticleRow> rows;
    for (const bool prefill : {true, false})
        for (const Kind& kind : kinds) {
            if (!prefill && kind.scores == ScoreMemory::whole) continue;
            settings.progress(kind.name + (prefill ? ", prefill" : ", decode"));
            ArticleRow& row = rows.emplace_back(measure(kind, prefill, settings));
            if (prefill || !kind.cached) continue;
            row.row.time = steps[kind.kv_heads == H ? 0 : 1].time;
            row.tokens_per_second = static_cast<double>(row.row.tokens) / row.row.time.median * 1000;
        }
    return rows;
}

MemorySplit of_layers(const MemorySplit& one, Index layers)
{
    return {one.weights * layers, one.activations, one.scores, one.cache * layers};
}

} // namespace headroom
