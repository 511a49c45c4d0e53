#include "reference/decoder/grouped_query_attention.h"

#include "reference/decoder/project.h"
#include <cmath>

namespace headroom {
namespace {

// Neighbouring components of each head turn by position / base^(2i / D).
void rotate(Tensor& heads, const TokenBatch& batch, double base) // [B, heads, L, D]
{
    const Index D = heads.extent(3);
    for (Index b = 0; b < heads.extent(0); ++b)
        for (std::size_t i = 0; i < batch.positions[static_cast<std::size_t>(b)].size(); ++i) {
            const auto at = static_cast<double>(batch.positions[static_cast<std::size_t>(b)][i]);
            for (Index d = 0; d < D; d += 2) {
                const double angle = at * std::pow(base, -static_cast<double>(d) / static_cast<double>(D));
                const double c = std::cos(angle), s = std::sin(angle);
                for (Index h = 0; h < heads.extent(1); ++h) {
                    double& x = heads(b, h, i, d);
                    double& y = heads(b, h, i, d + 1);
                    const double turned = x * c - y * s;
                    y = x * s + y * c;
                    x = turned;
                }
            }
        }
}

} // namespace

Tensor grouped_query_attention(const Tensor& x, const TokenBatch& batch, const AttentionWeights& w,
                               const DecoderConfig& config, Index layer, KvMemory& memory, const Backend& backend)
{
    // Project, and give every head its own rows.
    Tensor q = split_heads(project(x, w.q_proj, backend), batch, config.q_heads);        // [B, H, L, D]
    Tensor k = split_heads(project(x, w.k_proj, backend), batch, config.kv_heads);       // [B, Hkv, L, D]
    const Tensor v = split_heads(project(x, w.v_proj, backend), batch, config.kv_heads); // [B, Hkv, L, D]

    // Positions enter here: absolute ones, whatever slot a key will lie in.
    rotate(q, batch, config.rope_base);
    rotate(k, batch, config.rope_base);

    // The new tokens' keys and values are kept; attention sees them and all earlier ones.
    const std::vector<Index> counts = batch.counts();
    AttentionProblem problem{.q = view(q), .kv = memory.keep(layer, k, v), .options = backend.options};
    problem.query_length = counts.data();
    if (!batch.mask.empty()) problem.mask = &batch.mask;
    const AttentionStages stages = backend.attention(problem); // output [B, H, L, D]

    return project(merge_heads(stages.output, batch), w.o_proj, backend);
}

} // namespace headroom
