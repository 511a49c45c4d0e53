// One decode step, its query heads and its keys split over ranks in every way, against the same step in one piece.
#include "tutorials/17_splitting_keys/split.h"

using namespace headroom;

double split(const Step& step, const Grid& grid)
{
    const Part whole = part(step, {1, 1}, 0, 0); // everything on one rank
    double worst = 0;
    for (Index row = 0; row < grid.head_ranks; ++row) {
        // Each rank of the row sums up its own keys; then one merge, in any order.
        Part merged = part(step, grid, row, 0);
        for (Index column = 1; column < grid.key_ranks; ++column) {
            const Part other = part(step, grid, row, column);
            for (std::size_t h = 0; h < merged.size(); ++h) merged[h].merge(other[h]);
        }

        worst = std::max(worst, difference(merged, whole, grid, row));
    }
    return worst;
}

int main()
{
    fmt::print("{} query heads on {} KV heads; q heads, KV heads, keys and bytes sent are those of one rank\n", H, Hkv);
    fmt::print(" keys  heads x keys  q heads  KV heads   keys  empty  K and V in all  bytes sent   output\n");
    const std::vector<std::pair<Index, Grid>> rows{{1000, {1, 1}},    {1000, {1, 2}}, {1000, {1, 3}},  {1000, {1, 8}},
                                                   {1000, {1, 1500}}, {1000, {2, 1}}, {1000, {3, 1}},  {1000, {4, 1}},
                                                   {1000, {12, 1}},   {1000, {2, 6}}, {20000, {1, 8}}, {2, {1, 3}}};
    for (const auto& [S, grid] : rows) print(grid, S, split(random_step(S), grid));
}
