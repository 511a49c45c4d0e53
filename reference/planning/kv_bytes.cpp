#include "reference/planning/kv_bytes.h"

#include "reference/planning/checked.h"
#include <algorithm>

namespace headroom {
namespace {

Index sum_over_caches(const Geometry& g, auto&& of_layer)
{
    Index sum = 0;
    for (const LayerGeometry& layer : g.layers)
        if (layer.owns_cache()) sum = plus(sum, of_layer(layer));
    return sum;
}

Index head_bytes(const KvFormat& format, Index key_width, Index value_width)
{
    return plus(format.row_bytes(key_width), format.row_bytes(value_width));
}

// How many blocks can hold a token of the last `span`: a span that is not aligned touches one block more.
Index blocks_touched(Index span, Index page) { return plus(divide_up(span - 1, page), 1); }

} // namespace

Index heads_on_rank(Index kv_heads, Index ranks)
{
    if (kv_heads % ranks == 0) return kv_heads / ranks;
    if (ranks % kv_heads == 0) return 1;
    throw std::invalid_argument(std::to_string(kv_heads) + " KV heads cannot be placed on " + std::to_string(ranks) +
                                " ranks: neither number divides the other");
}

Index token_bytes(const LayerGeometry& layer, const KvSettings& s)
{
    if (layer.latent) return s.format.row_bytes(layer.head_dim); // every rank keeps the vector
    return times(heads_on_rank(layer.kv_heads, s.ranks), head_bytes(s.format, layer.head_dim, layer.value_dim));
}

Index bytes_per_token(const Geometry& g, const KvSettings& s)
{
    return sum_over_caches(g, [&](const LayerGeometry& layer) { return token_bytes(layer, s); });
}

Index bytes_per_token_beyond_window(const Geometry& g, const KvSettings& s)
{
    return sum_over_caches(g, [&](const LayerGeometry& layer) -> Index {
        const bool stopped = (layer.role == Role::sliding && s.eviction != Eviction::none) ||
                             (layer.role == Role::chunked && s.eviction == Eviction::windows_and_chunks);
        return stopped ? 0 : token_bytes(layer, s);
    });
}

Index bytes_per_token_expanded(const Geometry& g, const KvSettings& s) { return bytes_per_token(as_mha(g), s); }

Index source_token_bytes(const Geometry& g, const KvSettings& s)
{
    if (g.cross.layers == 0) return 0;
    return times(g.cross.layers, heads_on_rank(g.cross.kv_heads, s.ranks),
                 head_bytes(s.format, g.cross.head_dim, g.cross.head_dim));
}

Index fixed_bytes(const Geometry& g, const KvSettings& s)
{
    return times(source_token_bytes(g, s), g.cross.tokens > 0 ? g.cross.tokens : s.source_tokens);
}

Index kept_tokens(const LayerGeometry& layer, const KvSettings& s, Index context)
{
    const Index all = divide_up(context, s.page);
    Index blocks = all;
    if (layer.role == Role::sliding && s.eviction != Eviction::none && context > layer.window)
        blocks = std::min(all, s.page == 1 ? layer.window : blocks_touched(layer.window, s.page));
    if (layer.role == Role::chunked && s.eviction == Eviction::windows_and_chunks && context > layer.chunk)
        blocks = std::min(all, s.page == 1 ? layer.chunk : blocks_touched(layer.chunk, s.page));
    return times(blocks, s.page);
}

Index sequence_bytes(const Geometry& g, const KvSettings& s, Index context)
{
    const Index growing = sum_over_caches(
        g, [&](const LayerGeometry& layer) { return times(kept_tokens(layer, s, context), token_bytes(layer, s)); });
    return plus(growing, fixed_bytes(g, s));
}

Index kv_bytes(const Geometry& g, const KvSettings& s, Index context, Index batch)
{
    return times(sequence_bytes(g, s, context), batch);
}

std::optional<Index> kv_bytes_if_countable(const Geometry& g, const KvSettings& s, Index context, Index batch)
{
    try {
        return kv_bytes(g, s, context, batch);
    } catch (const std::overflow_error&) {
        return std::nullopt;
    }
}

Index read_bytes(const Geometry& g, const KvSettings& s, Index context)
{
    Index sum = fixed_bytes(g, s);
    for (const LayerGeometry& layer : g.layers) {
        if (!layer.attends()) continue;
        Index seen = context;
        if (layer.role == Role::sliding) seen = std::min(context, layer.window);
        if (layer.role == Role::chunked && context > 0) seen = (context - 1) % layer.chunk + 1;
        sum = plus(sum, times(seen, token_bytes(layer, s)));
    }
    return sum;
}

Geometry as_mha(const Geometry& g)
{
    Geometry mha = g;
    for (LayerGeometry& layer : mha.layers) {
        layer.kv_heads = layer.q_heads;
        if (!layer.latent) continue;
        layer.latent = false;
        layer.head_dim = g.latent.nope + g.latent.rope;
        layer.value_dim = g.latent.value;
    }
    mha.cross.kv_heads = g.cross.layers > 0 ? g.q_heads : 0;
    return mha;
}

Geometry as_mqa(const Geometry& g)
{
    Geometry mqa = as_mha(g);
    for (LayerGeometry& layer : mqa.layers) layer.kv_heads = 1;
    mqa.cross.kv_heads = g.cross.layers > 0 ? 1 : 0;
    return mqa;
}

} // namespace headroom
