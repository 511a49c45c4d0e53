// Vector accesses, streaming loads, asynchronous copies, atomics.
#include "tests/cuda/primitives/run_lanes.h"

#include <algorithm>
#include <set>

using namespace headroom::cuda;

TEST_CASE("vector loads and stores keep the order of words")
{
    const Words in = random_words(32, 5);
    Words expected(256);
    for (std::size_t l = 0; l < 32; ++l) {
        const std::size_t order[8] = {3, 2, 1, 0, 5, 4, 6, 7};
        for (std::size_t i = 0; i < 8; ++i) expected[8 * l + i] = in[8 * l + order[i]];
    }
    expect_words(vector_access_lanes, in, expected, 8);
}

TEST_CASE("a streaming load that is not wanted gives zeroes")
{
    const Words in = random_words(32, 6);
    Words expected = in;
    for (std::size_t l = 0; l < 32; l += 3) std::fill_n(&expected[8 * l + 4], 4, 0u);
    expect_words(stream_lanes, in, expected, 8);
}

TEST_CASE("cp.async brings 16 bytes, or zeroes, and waits for all but the newest groups")
{
    const Words in = random_words(32, 7);
    Words expected(256);
    for (std::size_t l = 0; l < 32; ++l)
        for (std::size_t i = 0; i < 8; ++i)
            expected[8 * l + i] = i >= 4 && (31 - l) % 3 == 0 ? 0 : in[8 * (31 - l) + i];
    expect_words(copy_async_lanes, in, expected, 8);
}

TEST_CASE("atomics: every lane gets another number, and none is lost")
{
    const Words in = random_words(32, 8);
    std::uint32_t most = 0, least = ~0u;
    for (std::size_t l = 0; l < 32; ++l) {
        most = std::max(most, in[8 * l]);
        least = std::min(least, in[8 * l]);
    }
    on_every_executor(atomics_lanes, in, [&](const Words& out) {
        std::set<std::uint32_t> numbers;
        std::uint32_t winners = 0;
        for (std::size_t l = 0; l < 32; ++l) {
            numbers.insert(out[8 * l]);
            CHECK(out[8 * l + 1] == 32);
            CHECK(out[8 * l + 2] == most);
            CHECK(out[8 * l + 3] == least);
            winners += out[8 * l + 5];
        }
        CHECK(numbers.size() == 32);
        CHECK(*numbers.rbegin() == 31);
        CHECK(winners == 1);
        CHECK(out[7] == 32);
    });
}
