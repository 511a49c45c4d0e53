#include "reference/decoder/grouped_query_attention.h"

#include "reference/decoder/project.h"
#include "reference/decoder/slot_positions.h"

namespace headroom {
Tensor grouped_query_attention(const Tensor& x, const TokenBatch& batch, const AttentionWeights& w,
                               const DecoderConfig& config, const RopeTable& table, Index layer, KvMemory& memory,
                               const Backend& backend)
{
    // Project, and give every head its own rows.
    Tensor q = split_heads(project(x, w.q_proj, backend), batch, config.q_heads);        // [B, H, L, D]
    Tensor k = split_heads(project(x, w.k_proj, backend), batch, config.kv_heads);       // [B, Hkv, L, D]
    const Tensor v = split_heads(project(x, w.v_proj, backend), batch, config.kv_heads); // [B, Hkv, L, D]

    // Positions enter here: absolute ones, whatever slot a key will lie in …
    constexpr RopeLayout layout = RopeLayout::neighbouring_pairs;
    const bool absolute = memory.positions_in_cache() == 0;
    if (absolute) {
        const std::vector<Index> positions = batch.padded_positions();
        q = rope(q, positions, table, layout);
        k = rope(k, positions, table, layout);
    }

    // The new tokens' keys and values are kept; attention sees them and all earlier ones.
    const std::vector<Index> counts = batch.counts();
    KvView kv = memory.keep(layer, k, v);

    // … or the slots themselves, which only the reader knows.
    Tensor turned;
    if (!absolute) {
        q = rope(q, slots_of_queries(kv, counts, batch.longest()), table, layout);
        turned = keys_turned_by_slot(kv, table, layout);
        kv.k = view(turned);
    }
    AttentionProblem problem{.q = view(q), .kv = kv, .options = backend.options};
    problem.query_length = counts.data();
    if (!batch.mask.empty()) problem.mask = &batch.mask;
    const AttentionStages stages = backend.attention(problem); // output [B, H, L, D]

    return project(merge_heads(stages.output, batch), w.o_proj, backend);
}

} // namespace headroom
