#include "tutorials/16_latent_attention/exercise.h"

#include <cmath>

double absorbed_score(const Query& query, const std::vector<Row>& W_uk, const Cached& token)
{
    // The query moves into the space of the latent: absorbed = W_uk^T nope.
    Row absorbed(token.c.size());
    for (std::size_t n = 0; n < query.nope.size(); ++n)
        for (std::size_t r = 0; r < token.c.size(); ++r) absorbed[r] += W_uk[n][r] * query.nope[n];

    double score = 0;
    for (std::size_t r = 0; r < token.c.size(); ++r) score += absorbed[r] * token.c[r];
    for (std::size_t d = 0; d < token.k_rope.size(); ++d) score += query.rope[d] * token.k_rope[d];

    // TODO: 1 / sqrt(numbers in a row of the cache). Is that the key that the model was trained with?
    return score / std::sqrt(static_cast<double>(token.c.size() + token.k_rope.size()));
}
