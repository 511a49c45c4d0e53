#include "reference/decoder/score.h"

#include "reference/decoder/sampling.h"
#include "reference/decoder/session.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace headroom {

Score score(const Decoder& model, std::span<const int> tokens, const GenerationSettings& settings,
            const Backend& backend)
{
    const auto n = static_cast<Index>(tokens.size());
    if (n < 2) throw std::invalid_argument("there is nothing to predict: the text has no token behind BOS");
    require_context(model, settings, n - 1, "to predict " + std::to_string(n - 1) + " tokens takes a context as long");
    Score score;
    Session session(model, 1, settings, backend);
    const TokenRows row{{tokens.begin(), tokens.end() - 1}}; // the last one is only predicted
    for (Index from = 0; from < n - 1; from += session.longest_pass()) {
        const Index to = std::min(n - 1, from + session.longest_pass());
        session.pass(piece(row, from, to), true,
                     [&](std::size_t, Index position, std::span<const double> hidden, const Backend& watched) {
                         if (position < from) return; // without a cache, seen before
                         score.nll -= log_probability(logits(model, hidden, watched),
                                                      tokens[static_cast<std::size_t>(position + 1)]);
                         ++score.predicted;
                     });
    }
    score.perplexity = std::exp(score.nll / static_cast<double>(score.predicted));
    return score;
}

} // namespace headroom
