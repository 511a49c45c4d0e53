// In decode every new token is turned as if it stood at position 0, for its call begins there.
#include "tutorials/museum/exhibit.h"

#include <algorithm>
#include <cmath>

namespace headroom::museum {
namespace {

// Where token i of a call stands, with `cached` tokens before the call.
int position_of(int i, int cached, bool fault)
{
    if (fault) return i; // arange(number of tokens in this call)
    return cached + i;
}

std::vector<Row> run(bool fault)
{
    std::vector<int> positions; // of every key in the cache
    std::vector<Row> rows;
    for (const int tokens : {4, 1, 1}) { // a prompt, then two steps
        const int cached = static_cast<int>(positions.size());
        for (int i = 0; i < tokens; ++i) positions.push_back(position_of(i, cached, fault));
        for (int i = cached; i < cached + tokens; ++i) {
            std::vector<double> scores, v;
            for (int j = 0; j <= i; ++j) { // q = k = [2, 0], turned by half a radian a position, D = 2
                const int distance = positions[static_cast<std::size_t>(i)] - positions[static_cast<std::size_t>(j)];
                scores.push_back(4 * std::cos(0.5 * distance) / std::sqrt(2.0));
                v.push_back(j);
            }
            std::vector<double> weights = softmax(scores);
            const double output = weighted(weights, v);
            weights.resize(6);
            rows.push_back({i, output, weights});
        }
    }
    return rows;
}

} // namespace

extern const Exhibit rope_position_zero{
    "rope_position_zero",
    {"Every decoded token is turned as if at position 0", "解码的每个词元都按位置 0 旋转"},
    {"token {}", "词元 {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/decoder/cache_test.cpp",
    "any chunking through any cache gives the logits of a pass without a cache, to the bit",
    "https://github.com/Blaizzy/mlx-vlm/issues/1983 https://github.com/Blaizzy/mlx-vlm/pull/1993"};

} // namespace headroom::museum
