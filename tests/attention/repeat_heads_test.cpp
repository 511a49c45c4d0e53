// Grouped-query attention by index and by copying heads; and the copy that puts heads at wrong places.
#include "reference/attention/attention.h"
#include "reference/attention/repeat_heads.h"
#include "tests/support/catch.h"
#include "tests/support/small_problem.h"
#include <cmath>

using namespace headroom;

namespace {

using Repeat = Tensor (*)(const Tensor&, Index);

// Attention after all KV heads were copied to all query heads: H == Hkv.
Tensor output_with(const OwnedProblem& grouped, Repeat repeat)
{
    OwnedProblem copied;
    copied.q = store(load(grouped.q), DType::f64);
    const Index group_size = grouped.q.shape()[1] / grouped.k.shape()[1];
    copied.k = store(repeat(load(grouped.k), group_size), DType::f64);
    copied.v = store(repeat(load(grouped.v), group_size), DType::f64);
    return attention(copied.problem()).output;
}

} // namespace

TEST_CASE("heads 0 1 become 0 0 1 1, not 0 1 0 1")
{
    const Tensor kv({1, 2, 1, 1}, {10, 20});
    CHECK(std::ranges::equal(repeat_interleave(kv, 2).values(), std::vector<double>{10, 10, 20, 20}));
    CHECK(std::ranges::equal(mistakes::repeat(kv, 2).values(), std::vector<double>{10, 20, 10, 20}));
    CHECK(repeat_interleave(kv, 3).shape() == Shape{1, 6, 1, 1});
    CHECK_THROWS_AS(repeat_interleave(kv, 0), std::invalid_argument);
    CHECK_THROWS_AS(repeat_interleave(Tensor({2, 1, 1}), 2), std::invalid_argument);
}

TEST_CASE("copying heads gives the bits of reading them by index")
{
    const OwnedProblem grouped = small_problem();
    const Tensor by_index = attention(grouped.problem()).output;
    CHECK(std::ranges::equal(output_with(grouped, repeat_interleave).values(), by_index.values()));
}

TEST_CASE("tiling has the right shape and the wrong numbers in exactly the heads whose KV head moved")
{
    const OwnedProblem grouped = small_problem(); // heads 0 1 2 3 read KV heads 0 0 1 1; tiled 0 1 0 1
    const Tensor right = attention(grouped.problem()).output, wrong = output_with(grouped, mistakes::repeat);
    REQUIRE(wrong.shape() == right.shape());
    for (Index h = 0; h < 4; ++h) {
        const bool moved = h / 2 != h % 2;
        CHECK(std::ranges::equal(wrong.row(0, h, 2), right.row(0, h, 2)) == !moved);
        if (moved) CHECK(std::fabs(wrong(0, h, 2, 0) - right(0, h, 2, 0)) > 0.1); // far beyond any rounding
    }
}

TEST_CASE("with one KV head, or one per query head, tiling happens to be right")
{
    Random random(3);
    const Tensor one = random_normal({2, 1, 4, 3}, random), four = random_normal({2, 4, 4, 3}, random);
    CHECK(std::ranges::equal(repeat_interleave(one, 4).values(), mistakes::repeat(one, 4).values()));
    CHECK(std::ranges::equal(repeat_interleave(four, 1).values(), mistakes::repeat(four, 1).values()));
}
