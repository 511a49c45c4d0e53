// Shuffles, votes, bit counts, named barriers.
#include "tests/cuda/primitives/run_lanes.h"

#include <bit>

using namespace headroom::cuda;

TEST_CASE("shuffles read the lane that they name, and beyond a segment, a lane reads itself")
{
    const Words in = random_words(32, 31);
    Words expected(256);
    for (std::size_t l = 0; l < 32; ++l) {
        const auto of = [&](std::size_t lane) { return in[8 * lane]; };
        std::uint32_t* w = &expected[8 * l];
        w[0] = of(5);
        w[1] = of(l / 8 * 8 + (l + 3) % 8);
        w[2] = of(l ^ 9);
        w[3] = of(l >= 3 ? l - 3 : l);
        w[4] = of(l % 16 + 3 < 16 ? l + 3 : l);
        w[5] = l < 8 ? of(l ^ 1) : 0;
        w[6] = in[8 * (l ^ 16) + 1];
    }
    expect_words(shuffles_lanes, in, expected, 7);
}

TEST_CASE("votes and bit counts")
{
    Words in = random_words(32, 32), expected(256);
    in[8 * 9] = 0;
    std::uint32_t ballot = 0;
    for (std::uint32_t l = 0; l < 32; ++l) ballot |= (in[8 * l] & 1) << l;
    for (std::size_t l = 0; l < 32; ++l) {
        const std::uint32_t x = in[8 * l];
        std::uint32_t reversed = 0;
        for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
        const std::uint32_t words[7] = {ballot,
                                        1,
                                        0,
                                        std::uint32_t(std::popcount(x)),
                                        std::uint32_t(std::countl_zero(x)),
                                        x ? std::uint32_t(std::countr_zero(x)) + 1 : 0,
                                        reversed};
        std::copy(words, words + 7, &expected[8 * l]);
    }
    expect_words(votes_lanes, in, expected, 7);
}

TEST_CASE("named barriers: one warp arrives, others wait for it")
{
    const Words in = random_words(96, 33);
    Words expected(8 * 96);
    for (std::size_t thread = 32; thread < 96; ++thread)
        expected[8 * thread] = in[8 * (31 - thread % 32) + thread / 32 - 1];
    expect_words(named_barriers_lanes, in, expected, 1);
}
