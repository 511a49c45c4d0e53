// The even split of uneven work: every unit belongs to exactly one block, and a block has at most two partial segments.
#include "cuda/primitives/work_split.h"
#include "tests/support/catch.h"

using namespace headroom;
using namespace headroom::cuda;

TEST_CASE("every unit of work belongs to one block")
{
    for (const Index units : {1, 2, 7, 13, 264, 1000})
        for (Index blocks = 1; blocks <= std::min<Index>(units, 40); ++blocks) {
            CHECK(first_unit(0, blocks, units) == 0);
            CHECK(first_unit(blocks, blocks, units) == units);
            for (Index unit = 0; unit < units; ++unit) {
                const Index block = block_of(unit, blocks, units);
                CHECK((first_unit(block, blocks, units) <= unit && unit < first_unit(block + 1, blocks, units)));
            }
        }
}

TEST_CASE("segments cover every row once, and no block has more than two parts of rows")
{
    const std::vector<int> starts{0, 4, 5, 6, 16}; // 4, 1, 1 and 10 tiles
    const int B = 4, Hkv = 3;
    const Index units = Index{16} * Hkv;
    for (Index blocks = 1; blocks <= units; ++blocks) {
        std::vector<int> tiles(static_cast<std::size_t>(B * Hkv));
        for (Index block = 0; block < blocks; ++block) {
            int parts = 0;
            const Index end = first_unit(block + 1, blocks, units);
            for (Index unit = first_unit(block, blocks, units); unit < end;) {
                const Segment s = segment_at(starts.data(), B, Hkv, unit, end);
                REQUIRE(s.from < s.to);
                CHECK(s.end - s.first == s.tiles);
                tiles[static_cast<std::size_t>(s.b * Hkv + s.hkv)] += s.to - s.from;
                parts += s.from > 0 || s.to < s.tiles;
                unit += s.to - s.from;
            }
            CHECK(parts <= 2);
        }
        for (int b = 0; b < B; ++b)
            for (int hkv = 0; hkv < Hkv; ++hkv)
                CHECK(tiles[static_cast<std::size_t>(b * Hkv + hkv)] ==
                      starts[static_cast<std::size_t>(b) + 1] - starts[static_cast<std::size_t>(b)]);
    }
}
