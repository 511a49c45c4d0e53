// How well a model predicts a text: the sum of -log p over all its tokens but the first, in one pass or in chunks.
#pragma once
#include "reference/decoder/generate.h"

namespace headroom {

struct Score {
    double nll = 0, perplexity = 0; // exp(nll / predicted)
    Index predicted = 0;
};
Score score(const Decoder& model, std::span<const int> tokens, const GenerationSettings& settings,
            const Backend& backend);

} // namespace headroom
