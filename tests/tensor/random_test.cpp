#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include <algorithm>
#include <numeric>

using namespace headroom;

TEST_CASE("the generator gives SplitMix64's published numbers")
{
    Random random(1234567);
    CHECK(random.bits() == 6457827717110365317u);
    CHECK(random.bits() == 3203168211198807973u);
    CHECK(random.bits() == 9817491932198370423u);
    CHECK(Random(0).bits() == 0xe220a8397b1dcdafu);
}

TEST_CASE("uniform and normal numbers are the same to the last bit on every platform")
{
    Random random(42);
    CHECK(random.uniform() == 0x1.7bae644c5fd6dp-1);
    CHECK(random.uniform() == 0x1.477f199d93378p-3);
    CHECK(random.uniform(-4, 4) == -0x1.c56cc54767834p+0);
    CHECK(random.uniform(-4, 4) == -0x1.3f18f0078da90p+0);
    CHECK(random.normal() == -0x1.0865237565475p-1);
    CHECK(random.normal() == -0x1.f51363a22cbfap-2);
    std::vector<Index> integers(8);
    for (Index& i : integers) i = random.integer(3, 9);
    CHECK(integers == std::vector<Index>{4, 4, 3, 8, 4, 6, 9, 3});
}

TEST_CASE("normal numbers have mean 0 and variance 1, uniform ones stay in their range")
{
    Random random(7);
    const Tensor normal = random_normal({100, 1000}, random);
    double sum = 0, squares = 0;
    for (const double x : normal.values()) {
        sum += x;
        squares += x * x;
    }
    CHECK(sum / 1e5 == Approx(0).margin(0.01));
    CHECK(squares / 1e5 == Approx(1).margin(0.02));
    const Tensor uniform = random_uniform({10000}, random);
    const auto [least, largest] = std::ranges::minmax(uniform.values());
    CHECK((least >= -4 && least < -3.99 && largest < 4 && largest > 3.99));
}
