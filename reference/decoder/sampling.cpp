#include "reference/decoder/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace headroom {

int most_likely(std::span<const double> logits)
{
    for (const double each : logits)
        if (!std::isfinite(each))
            throw std::invalid_argument("the model's logits are not finite: are these its weights?");
    return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
}

int sample(std::span<const double> logits, double temperature, double top_p, Random& random)
{
    const int best = most_likely(logits);
    if (temperature == 0) return best;
    std::vector<double> weight(logits.size());
    for (std::size_t i = 0; i < weight.size(); ++i)
        weight[i] = std::exp((logits[i] - logits[static_cast<std::size_t>(best)]) / temperature);
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);

    // The likeliest first, until they hold top_p of the probability.
    std::vector<int> order(weight.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater{}, [&](int id) { return weight[static_cast<std::size_t>(id)]; });
    double kept = 0;
    std::size_t nucleus = 0;
    while (nucleus < order.size() && (nucleus == 0 || kept < top_p * total))
        kept += weight[static_cast<std::size_t>(order[nucleus++])];

    double left = random.uniform() * kept;
    for (std::size_t i = 0; i + 1 < nucleus; ++i) {
        left -= weight[static_cast<std::size_t>(order[i])];
        if (left < 0) return order[i];
    }
    return order[nucleus - 1];
}

double log_probability(std::span<const double> logits, int token)
{
    const double max = logits[static_cast<std::size_t>(most_likely(logits))];
    double sum = 0;
    for (const double each : logits) sum += std::exp(each - max);
    return logits[static_cast<std::size_t>(token)] - max - std::log(sum);
}

} // namespace headroom
