#include "reference/tensor/random.h"
#include "tutorials/16_latent_attention/exercise.h"
#include "tutorials/examiner.h"

namespace {

headroom::Random numbers(16);

Row random_row(std::size_t size)
{
    Row row;
    for (std::size_t i = 0; i < size; ++i) row.push_back(numbers.uniform(-1, 1));
    return row;
}

// The key is made, as the model was trained.
double expanded_score(const Query& query, const std::vector<Row>& W_uk, const Cached& token)
{
    double score = 0;
    for (std::size_t n = 0; n < query.nope.size(); ++n) {
        double key = 0;
        for (std::size_t r = 0; r < token.c.size(); ++r) key += W_uk[n][r] * token.c[r];
        score += query.nope[n] * key;
    }
    for (std::size_t d = 0; d < token.k_rope.size(); ++d) score += query.rope[d] * token.k_rope[d];
    return score / std::sqrt(static_cast<double>(query.nope.size() + query.rope.size()));
}

} // namespace

int main()
{
    headroom::Examiner examiner;
    for (const std::size_t latent : {4U, 12U, 32U}) {
        const Query query{random_row(6), random_row(2)};
        std::vector<Row> W_uk;
        for (int n = 0; n < 6; ++n) W_uk.push_back(random_row(latent));
        const Cached token{random_row(latent), random_row(2)};
        examiner.near("a head of 6 + 2 numbers, a latent of " + std::to_string(latent) + ": the score",
                      absorbed_score(query, W_uk, token), expanded_score(query, W_uk, token));
    }
    return examiner.verdict("the scale comes from the width of a head's key, not from that of the cached row.\n");
}
