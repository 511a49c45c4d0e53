#include "reference/parallel/careful_row.h"

#include "reference/parallel/visible_keys.h"
#include <cmath>
#include <limits>

namespace headroom::parallel {

CarefulRow careful_row(const AttentionProblem& p, Index b, Index h, Index i)
{
    constexpr double hidden = -std::numeric_limits<double>::infinity();
    const KvView& kv = p.kv;
    const Index hkv = h / (p.q.extent[1] / kv.k.extent[1]), D = p.q.extent[3], Dv = kv.v.extent[3];
    const double scale = p.options.scale.value_or(1 / std::sqrt(static_cast<double>(D))), cap = p.options.soft_cap;
    const VisibleKeys seen = visible_keys(p, b, i);

    // Scores of the visible keys, in order.
    std::vector<double> scores(static_cast<std::size_t>(seen.count()), hidden);
    CarefulRow row{hidden, 0, std::vector<double>(static_cast<std::size_t>(Dv))};
    for (std::size_t n = 0; n < scores.size(); ++n) {
        const Index j = seen.slot(static_cast<Index>(n));
        const auto term = static_cast<double>(bias(p, b, h, i, j));
        if (!mask_allows(p, b, h, i, j) || term == hidden) continue;
        const Place at = place(kv, b, j);
        double score = 0;
        for (Index d = 0; d < D; ++d) score += value(p.q, b, h, i, d) * value(kv.k, at.block, hkv, at.slot, d);
        score *= scale;
        if (cap > 0) score = cap * std::tanh(score / cap);
        scores[n] = score + term;
        if (!(scores[n] <= row.max)) row.max = scores[n];
        if (std::isnan(row.max)) break;
    }

    for (std::size_t n = 0; n < scores.size(); ++n) {
        if (scores[n] == hidden) continue;
        const Place at = place(kv, b, seen.slot(static_cast<Index>(n)));
        const double weight = std::exp(scores[n] - row.max);
        row.sum += weight;
        for (Index d = 0; d < Dv; ++d)
            row.output[static_cast<std::size_t>(d)] += weight * value(kv.v, at.block, hkv, at.slot, d);
    }
    return row;
}

} // namespace headroom::parallel
