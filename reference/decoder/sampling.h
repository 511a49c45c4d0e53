// From logits to the next token.
#pragma once
#include "reference/tensor/random.h"

namespace headroom {

int most_likely(std::span<const double> logits); // the first of equals; throws if there is no largest (NaN)

// softmax(logits / temperature), restricted to the fewest tokens that together have probability top_p (nucleus
// sampling, Holtzman et al. 2020). temperature 0: the most likely.
int sample(std::span<const double> logits, double temperature, double top_p, Random& random);

double log_probability(std::span<const double> logits, int token); // natural logarithm of softmax(logits)[token]

} // namespace headroom
