// The score of one head's query and one cached token, without making the head's key.
//
//     key = [W_uk c, k_rope]     score = scale * query . key     the scale is 1 / sqrt(numbers in a key)
#pragma once
#include <vector>

using Row = std::vector<double>;

struct Query {
    Row nope, rope;
};
struct Cached {
    Row c, k_rope; // the latent, and the key that carries the position
};
double absorbed_score(const Query& query, const std::vector<Row>& W_uk, const Cached& token); // W_uk [nope][latent]
