#include "reference/decoder/grouped_query_attention.h"

#include "reference/decoder/project.h"

namespace headroom {
Tensor grouped_query_attention(const Tensor& x, const TokenBatch& batch, const AttentionWeights& w,
                               const DecoderConfig& config, const RopeTable& table, Index layer, KvMemory& memory,
                               const Backend& backend)
{
    // Project, and give every head its own rows.
    Tensor q = split_heads(project(x, w.q_proj, backend), batch, config.q_heads);        // [B, H, L, D]
    Tensor k = split_heads(project(x, w.k_proj, backend), batch, config.kv_heads);       // [B, Hkv, L, D]
    const Tensor v = split_heads(project(x, w.v_proj, backend), batch, config.kv_heads); // [B, Hkv, L, D]

    // Positions enter here: absolute ones, whatever slot a key will lie in.
    const std::vector<Index> positions = batch.padded_positions();
    q = rope(q, positions, table, RopeLayout::neighbouring_pairs);
    k = rope(k, positions, table, RopeLayout::neighbouring_pairs);

    // The new tokens' keys and values are kept; attention sees them and all earlier ones.
    const std::vector<Index> counts = batch.counts();
    AttentionProblem problem{.q = view(q), .kv = memory.keep(layer, k, v), .options = backend.options};
    problem.query_length = counts.data();
    if (!batch.mask.empty()) problem.mask = &batch.mask;
    const AttentionStages stages = backend.attention(problem); // output [B, H, L, D]

    return project(merge_heads(stages.output, batch), w.o_proj, backend);
}

} // namespace headroom
