// A softmax in one pass: the largest score, the sum and the weighted values, brought up to date with every key.
#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>

using namespace headroom;

// What is known after some keys: three numbers, however many keys there were.
struct Running {
    double max = -std::numeric_limits<double>::infinity(), sum = 0, weighted = 0;
};

// A new key. What was gathered so far was measured from the old maximum; now it is measured from the new one.
double add(Running& running, double score, double value)
{
    const double max = std::max(running.max, score);
    const double shrink = std::exp(running.max - max), weight = std::exp(score - max);
    running.sum = running.sum * shrink + weight;
    running.weighted = running.weighted * shrink + weight * value;
    running.max = max;
    return shrink;
}

double largest_difference(const Tensor& a, const Tensor& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i)
        worst = std::max(worst, std::abs(a.values()[i] - b.values()[i]));
    return worst;
}

int main()
{
    // One query, five keys; a value is one number here.
    const double scores[5] = {1, 3, 2, 1000, 999}, values[5] = {10, 20, 30, 40, 50}; // [S]
    Running running;
    fmt::print("key  score      max   shrink     sum  weighted   output\n");
    for (int j = 0; j < 5; ++j) {
        const double shrink = add(running, scores[j], values[j]);
        fmt::print("{:3} {:6} {:8} {:8.4f} {:7.4f} {:9.4f} {:8.4f}\n", j, scores[j], running.max, shrink, running.sum,
                   running.weighted, running.weighted / running.sum);
    }

    // The same in two passes, with all weights held until the end.
    const double max = *std::max_element(scores, scores + 5);
    double weights[5], sum = 0, output = 0;
    for (int j = 0; j < 5; ++j) sum += weights[j] = std::exp(scores[j] - max);
    for (int j = 0; j < 5; ++j) output += weights[j] / sum * values[j];
    fmt::print("two passes                     {:7.4f} {:18.4f}\n\n", sum, output);

    // The library does it tile by tile: a tile's scores exist together, and are followed by one shrinking.
    const Index H = 2, L = 3, S = 1000, D = 16;
    Random random(8);
    const Tensor q = random_uniform({1, H, L, D}, random), k = random_uniform({1, 1, S, D}, random);
    const Tensor v = random_uniform({1, 1, S, D}, random);
    const KvView kv{.k = view(k), .v = view(v), .sequences = 1, .length = &S};
    const AttentionProblem problem{.q = view(q), .kv = kv, .options = {}};
    const AttentionStages all = attention(problem);
    fmt::print("all at once  {:5} scores are held\n", all.scores.values().size());
    for (const Index tile : {1, 64, 1000}) {
        const AttentionStages online = online_attention(problem, {.tile = tile});
        fmt::print("tile {:4}    {:5} scores are held   {}\n", tile, std::min(tile, S),
                   largest_difference(online.output, all.output) <= 1e-12 ? "same output" : "another output");
    }
}
