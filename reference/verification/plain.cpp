#include "reference/verification/plain.h"

#include <cmath>
#include <limits>

namespace headroom {
namespace {

constexpr float hidden = -std::numeric_limits<float>::infinity();

float larger(float a, float b) { return b > a || std::isnan(b) ? b : a; } // a NaN wins: it must not get lost

// The value at [b, h, i, j] of a tensor whose axes may have extent 1.
float broadcast(const Tensor& t, Index b, Index h, Index i, Index j)
{
    const auto at = [&](int axis, Index index) { return t.extent(axis) == 1 ? 0 : index; };
    return static_cast<float>(t(at(0, b), at(1, h), at(2, i), at(3, j)));
}

// What is left of a weight once it is stored like the values that it multiplies.
float rounded(DType type, float weight)
{
    if (byte_size(type) == 1) type = DType::f16; // 8-bit values are multiplied as f16
    if (byte_size(type) != 2) return weight;
    std::byte stored[2];
    encode(type, static_cast<double>(weight), stored);
    return static_cast<float>(decode(type, stored));
}

std::vector<float> row(const StoredView& v, Index i0, Index i1, Index i2)
{
    std::vector<float> values(static_cast<std::size_t>(v.extent[3]));
    for (std::size_t d = 0; d < values.size(); ++d)
        values[d] = static_cast<float>(value(v, i0, i1, i2, static_cast<Index>(d)));
    return values;
}

struct Head { // one query head's keys and values, as float
    std::vector<std::vector<float>> keys, values;
};

Head head(const KvView& kv, Index b, Index hkv)
{
    Head all;
    for (Index j = 0; j < kv.length[b]; ++j) {
        const Place at = place(kv, b, j);
        all.keys.push_back(row(kv.k, at.block, hkv, at.slot));
        all.values.push_back(row(kv.v, at.block, hkv, at.slot));
    }
    return all;
}

} // namespace

AttentionStages plain_attention(const AttentionProblem& p, const AttentionStages& exact)
{
    const auto [B, H, Hkv, L, S, D, Dv] = check(p);
    const float scale = static_cast<float>(p.options.scale.value_or(1 / std::sqrt(static_cast<double>(D))));
    const float cap = static_cast<float>(p.options.soft_cap);
    AttentionStages all = exact; // rows and keys that nobody sees stay as they are
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h) {
            const Head kv = head(p.kv, b, h / (H / Hkv));
            for (Index i = 0; i < L; ++i) {
                const std::vector<float> q = row(p.q, b, h, i);
                std::vector<float> scores(kv.keys.size(), hidden);
                float max =
                    p.sink_logits.empty() ? hidden : static_cast<float>(p.sink_logits[static_cast<std::size_t>(h)]);
                for (std::size_t j = 0; j < scores.size(); ++j) {
                    float dot = 0;
                    for (std::size_t d = 0; d < q.size(); ++d) dot += q[d] * kv.keys[j][d];
                    float score = scale * dot;
                    all.scores(b, h, i, j) = static_cast<double>(score);
                    if (exact.masked_scores(b, h, i, j) == static_cast<double>(hidden)) continue;
                    if (cap > 0) score = cap * std::tanh(score / cap);
                    if (p.bias) score += broadcast(*p.bias, b, h, i, static_cast<Index>(j));
                    all.masked_scores(b, h, i, j) = static_cast<double>(scores[j] = score);
                    max = larger(max, score);
                }
                if (std::isinf(max)) continue;
                float sum = p.sink_logits.empty()
                                ? 0
                                : std::exp(static_cast<float>(p.sink_logits[static_cast<std::size_t>(h)]) - max);
                for (const float score : scores) sum += std::exp(score - max);
                std::vector<float> output(static_cast<std::size_t>(Dv));
                for (std::size_t j = 0; j < scores.size(); ++j) {
                    if (scores[j] == hidden) continue; // select, never multiply
                    const float weight = rounded(p.kv.v.type, std::exp(scores[j] - max) / sum);
                    all.weights(b, h, i, j) = static_cast<double>(weight);
                    for (std::size_t d = 0; d < output.size(); ++d) output[d] += weight * kv.values[j][d];
                }
                for (std::size_t d = 0; d < output.size(); ++d) all.output(b, h, i, d) = static_cast<double>(output[d]);
                all.row_max(b, h, i) = static_cast<double>(max);
                all.row_sum(b, h, i) = static_cast<double>(sum);
                all.lse(b, h, i) = static_cast<double>(max + std::log(sum));
            }
        }
    return all;
}

} // namespace headroom
