#include "reference/planning/count_parameters.h"

#include "reference/planning/anatomy.h"
#include "reference/planning/checked.h"
#include "reference/planning/feed_forward.h"
#include "reference/planning/rules.h"

namespace headroom {
namespace {

// q [E, H D], k [E, Hkv D], v [E, Hkv Dv], o [H Dv, E].
Index heads_attention(const ConfigPart& config, const Anatomy& a, const LayerGeometry& layer, Index E)
{
    const bool all_biased = config.flag("attention_bias").value_or(false);
    const bool qkv_bias = a.qkv_bias || all_biased || config.flag("use_qkv_bias").value_or(false);
    const Index q = times(layer.q_heads, layer.head_dim), k = times(layer.kv_heads, layer.head_dim),
                v = times(layer.kv_heads, layer.value_dim), o = times(layer.q_heads, layer.value_dim);
    Index sum = times(E, plus(plus(q, k), plus(v, o)));
    if (qkv_bias) sum = plus(sum, plus(q, plus(k, v)));
    if (a.out_bias || all_biased) sum = plus(sum, E);
    if (a.qk_norm == QkNorm::per_head) sum = plus(sum, times(2, layer.head_dim));
    if (a.qk_norm == QkNorm::all_heads || config.flag("use_qk_norm").value_or(false)) sum = plus(sum, plus(q, k));
    return a.sinks ? plus(sum, layer.q_heads) : sum;
}

// Down to the latent, a norm, up to all heads; the same for the query where q_lora_rank is stated.
Index latent_attention(const ConfigPart& config, const LatentWidths& w, Index H, Index E)
{
    const Index query_width = times(H, plus(w.nope, w.rope));
    const auto q_rank = config.number({"q_lora_rank"}, model_width_limit);
    const Index query =
        q_rank ? plus(times(q_rank->value, plus(E, query_width)), q_rank->value) : times(E, query_width);
    const Index latent = plus(plus(times(E, plus(w.rank, w.rope)), w.rank), times(w.rank, H, plus(w.nope, w.value)));
    return plus(plus(query, latent), times(H, w.value, E));
}

Index norm(const ConfigPart& config, const Anatomy& a, Index E)
{
    const bool unbiased = config.flag("no_bias").value_or(false);
    return times(a.norm_bias && !unbiased ? 2 : 1, E);
}

// A Falcon with groups of heads normalises attention and feed-forward apart, one with a single KV head together.
Index norms_per_layer(const ConfigPart& config, const Anatomy& a, const Geometry& g)
{
    const bool falcon = config.is_family({"falcon", "refinedweb"});
    return falcon && g.kind == "GQA" ? 2 : a.norms;
}

struct Embedding {
    Index input, output; // output: what the head adds
};

Embedding embedding(const ConfigPart& config, const Anatomy& a, Index E)
{
    const auto rows = config.number({"vocab_size", "padded_vocab_size"}, vocabulary_limit);
    if (!rows) throw NotStated("vocab_size");
    const auto projected = config.number({"word_embed_proj_dim"}, model_width_limit);
    const Index width = projected ? projected->value : E;
    const bool tied = config.flag("tie_word_embeddings").value_or(a.tied);
    Index input = times(rows->value, width);
    const Index projections = width == E ? 0 : times(2, width, E);
    if (a.learned_positions) {
        const auto positions = config.number({"n_positions", "max_position_embeddings"}, token_limit);
        if (!positions) throw NotStated("the number of learned positions");
        input = plus(input, times(plus(positions->value, a.more_positions), E));
    }
    const Index head = plus(tied ? 0 : times(rows->value, width), a.head_bias ? rows->value : 0);
    return {input, plus(head, projections)};
}

std::string why_not(const nlohmann::json& file, const ConfigPart& config, const Geometry& g)
{
    if (config.nested() || file.contains("vision_config"))
        return "the file describes more than a text decoder, and the other parts' weights are not derived";
    if (is_encoder_decoder(config)) return "the weights of an encoder-decoder are not derived";
    if (g.kind == "hybrid" || g.kind == "none") return "the weights of layers without attention are not derived";
    if (!anatomy(g.family)) return "the weights of the class '" + g.family + "' are not described here";
    if (config.is_family({"falcon", "refinedweb"}) &&
        (config.flag("bias").value_or(true) || !config.flag("parallel_attn").value_or(false)))
        return "the weights of this variant of the class '" + g.family + "' are not described here";
    if (g.hidden_size == 0) return "hidden_size is not stated";
    return "";
}

void add_up(Parameters& p, const ConfigPart& config, const Geometry& g)
{
    const Anatomy& a = *anatomy(g.family);
    const Index E = g.hidden_size;

    const Embedding table = embedding(config, a, E);
    Index attention = 0;
    for (const LayerGeometry& layer : g.layers)
        attention = plus(attention, layer.latent ? latent_attention(config, g.latent, layer.q_heads, E)
                                                 : heads_attention(config, a, layer, E));
    const FeedForward mlp = feed_forward(config, a, g);
    const bool final_norm = config.flag("do_layer_norm_before").value_or(true);
    const Index norm_count = plus(times(norms_per_layer(config, a, g), static_cast<Index>(g.layers.size())),
                                  (final_norm ? 1 : 0) + (a.embedding_norm ? 1 : 0));
    const Index norms = times(norm_count, norm(config, a, E));

    const Index body = plus(plus(attention, norms), table.output);
    p.total = plus(plus(table.input, body), mlp.total);
    const bool head_is_table = config.flag("tie_word_embeddings").value_or(a.tied);
    p.active = plus(plus(head_is_table ? table.input : 0, body), mlp.active);
    p.derivation.push_back(std::to_string(*p.total) + " parameters: embedding " + std::to_string(table.input) +
                           ", attention " + std::to_string(attention) + ", feed-forward " + std::to_string(mlp.total) +
                           ", norms " + std::to_string(norms) + ", output " + std::to_string(table.output));
    if (!mlp.sentence.empty()) p.derivation.push_back(mlp.sentence);
}

} // namespace

Parameters count_parameters(const nlohmann::json& file, const ConfigPart& config, const Geometry& g)
{
    Parameters p;
    p.stored_as = config.text("torch_dtype").value_or(config.text("dtype").value_or("bfloat16"));
    p.quantised = file.contains("quantization_config") && !file["quantization_config"].is_null();
    p.reason = why_not(file, config, g);
    if (!p.reason.empty()) return p;
    try {
        add_up(p, config, g);
    } catch (const NotStated& missing) {
        p.reason = missing.what();
    }
    return p;
}

} // namespace headroom
