// One query, three keys, three values: attention with a pencil, then by the library.
#include "reference/attention/attention.h"
#include <algorithm>
#include <cmath>
#include <fmt/core.h>

using namespace headroom;

int main()
{
    const double q[4] = {1, 1, 0, 2};                                   // [D] what the new token looks for
    const double K[3][4] = {{2, 0, 1, 1}, {0, 2, 0, -1}, {1, 1, 1, 0}}; // [S, D] what each token offers
    const double V[3][2] = {{10, 0}, {0, 10}, {5, 5}};                  // [S, Dv] what it hands over

    // A score for each key: the dot product, divided by the square root of D.
    double scores[3] = {}; // [S]
    for (int j = 0; j < 3; ++j) {
        for (int d = 0; d < 4; ++d) scores[j] += q[d] * K[j][d];
        scores[j] /= std::sqrt(4.0);
    }

    // Softmax: positive weights whose sum is 1.
    const double row_max = *std::max_element(scores, scores + 3);
    double weights[3], row_sum = 0; // [S]
    for (int j = 0; j < 3; ++j) row_sum += weights[j] = std::exp(scores[j] - row_max);
    for (double& weight : weights) weight /= row_sum;

    // The output is the weighted mean of the values.
    double output[2] = {}; // [Dv]
    for (int j = 0; j < 3; ++j)
        for (int d = 0; d < 2; ++d) output[d] += weights[j] * V[j][d];

    fmt::print("scores  {:8.4f} {:8.4f} {:8.4f}\n", scores[0], scores[1], scores[2]);
    fmt::print("weights {:8.4f} {:8.4f} {:8.4f}   sum {:.4f}\n", weights[0], weights[1], weights[2],
               weights[0] + weights[1] + weights[2]);
    fmt::print("output  {:8.4f} {:8.4f}\n", output[0], output[1]);

    // The library takes tensors [B, H, L, D] and says the same.
    const Tensor q_({1, 1, 1, 4}, {1, 1, 0, 2});
    const Tensor k_({1, 1, 3, 4}, {2, 0, 1, 1, 0, 2, 0, -1, 1, 1, 1, 0});
    const Tensor v_({1, 1, 3, 2}, {10, 0, 0, 10, 5, 5});
    const Index length = 3;
    const KvView kv{.k = view(k_), .v = view(v_), .sequences = 1, .length = &length};
    const AttentionStages stages = attention({.q = view(q_), .kv = kv, .options = {}});
    fmt::print("library {:8.4f} {:8.4f}\n", stages.output(0, 0, 0, 0), stages.output(0, 0, 0, 1));

    // And with scores a thousand times larger? exp(2000) is more than a double can hold.
    fmt::print("exp(2000) is {}; exp(2000 - 2000) is {}\n", std::exp(2000.0), std::exp(2000.0 - 2000.0));
}
