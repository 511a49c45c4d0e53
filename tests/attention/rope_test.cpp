// Rotary positions: both layouts, partial width, the table's bounds, and what decoding relies on.
#include "reference/attention/rope.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include <cmath>

using namespace headroom;

namespace {

double dot(std::span<const double> a, std::span<const double> b)
{
    double sum = 0;
    for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
    return sum;
}

bool close(double a, double b) { return std::fabs(a - b) <= 1e-12; }

constexpr RopeLayout layouts[] = {RopeLayout::neighbouring_pairs, RopeLayout::half_split};

} // namespace

TEST_CASE("a pair turns by its position's angle, and each layout finds its own pairs")
{
    const RopeTable table(10, 4); // angles per position: 1 and 0.01
    std::vector<double> x{1, 0, 0, 1};
    table.rotate(x, 3, RopeLayout::neighbouring_pairs); // pairs (1, 0) and (0, 1)
    CHECK(close(x[0], std::cos(3)));
    CHECK(close(x[1], std::sin(3)));
    CHECK(close(x[2], -std::sin(0.03)));
    CHECK(close(x[3], std::cos(0.03)));
    x = {1, 0, 0, 1};
    table.rotate(x, 3, RopeLayout::half_split); // pairs (1, 0) of elements 0, 2 and (0, 1) of elements 1, 3
    CHECK(close(x[0], std::cos(3)));
    CHECK(close(x[2], std::sin(3)));
    CHECK(close(x[1], -std::sin(0.03)));
    CHECK(close(x[3], std::cos(0.03)));
}

TEST_CASE("q k depends on the distance of the positions alone")
{
    Random random(1);
    const RopeTable table(200, 16);
    const Tensor q = random_normal({16}, random), k = random_normal({16}, random);
    for (const RopeLayout layout : layouts) {
        const auto product = [&](Index at_q, Index at_k) {
            Tensor a = q, b = k;
            table.rotate(a.values(), at_q, layout);
            table.rotate(b.values(), at_k, layout);
            return dot(a.values(), b.values());
        };
        CHECK(close(product(7, 3), product(104, 100)));
        CHECK(!close(product(7, 3), product(7, 4)));
        CHECK(close(product(50, 50), dot(q.values(), k.values())));
    }
}

TEST_CASE("elements beyond the rotary width stay as they are")
{
    const RopeTable table(10, 4);
    for (const RopeLayout layout : layouts) {
        std::vector<double> x{1, 2, 3, 4, 5, 6};
        table.rotate(x, 9, layout);
        CHECK(x[4] == 5);
        CHECK(x[5] == 6);
        CHECK(x[0] != 1);
        CHECK(x[3] != 4);
    }
    const RopeTable none(10, 0);
    std::vector<double> x{1, 2};
    none.rotate(x, 3, RopeLayout::half_split);
    CHECK(x == std::vector<double>{1, 2});
}

TEST_CASE("each row of a batch has its own positions, and chunks give the same bits")
{
    Random random(2);
    const Tensor x = random_normal({2, 3, 4, 8}, random);
    const RopeTable table(50, 8);
    const std::vector<Index> positions{0, 1, 2, 3, 40, 41, 42, 43};
    for (const RopeLayout layout : layouts) {
        const Tensor turned = rope(x, positions, table, layout);
        for (Index b = 0; b < 2; ++b)
            for (Index h = 0; h < 3; ++h)
                for (Index i = 0; i < 4; ++i) {
                    std::vector<double> alone(x.row(b, h, i).begin(), x.row(b, h, i).end());
                    table.rotate(alone, positions[static_cast<std::size_t>(4 * b + i)], layout);
                    CHECK(std::ranges::equal(alone, turned.row(b, h, i)));
                }
    }
    CHECK_THROWS_AS(rope(x, std::vector<Index>{0, 1, 2, 3}, table, layouts[0]), std::invalid_argument);
}

TEST_CASE("a table that grows keeps its rows")
{
    RopeTable small(3, 8, 500), large(9, 8, 500);
    small.grow(2);
    CHECK(small.positions() == 3);
    small.grow(9);
    std::vector<double> a(8, 1.0), b(8, 1.0);
    small.rotate(a, 8, RopeLayout::half_split);
    large.rotate(b, 8, RopeLayout::half_split);
    CHECK(a == b);
    RopeTable given(Tensor({3, 2}, 1.0), Tensor({3, 2}));
    CHECK_THROWS_AS(given.grow(4), std::invalid_argument);
}

TEST_CASE("a table of one pass has the rows of a table that begins at 0, and no others")
{
    const RopeTable whole(9, 8, 500);
    RopeTable pass = RopeTable::between(5, 7, 8, 500);
    const auto turned = [](const RopeTable& table, Index position) {
        std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8};
        table.rotate(x, position, RopeLayout::half_split);
        return x;
    };
    CHECK(turned(pass, 5) == turned(whole, 5));
    CHECK(turned(pass, 6) == turned(whole, 6));
    CHECK_THROWS_AS(turned(pass, 4), std::invalid_argument);
    CHECK_THROWS_AS(turned(pass, 7), std::invalid_argument);
    pass.grow(9);
    CHECK(turned(pass, 5) == turned(whole, 5));
    CHECK(turned(pass, 8) == turned(whole, 8));
    CHECK_THROWS_AS(turned(pass, 4), std::invalid_argument);
    CHECK_NOTHROW(RopeTable::between(3, 3, 8));
    CHECK_THROWS_AS(RopeTable::between(3, 2, 8), std::invalid_argument);
    CHECK_THROWS_AS(RopeTable::between(-1, 2, 8), std::invalid_argument);
}

TEST_CASE("what makes no sense is refused")
{
    CHECK_THROWS_AS(RopeTable(4, 3), std::invalid_argument);
    CHECK_THROWS_AS(RopeTable(-1, 4), std::invalid_argument);
    CHECK_THROWS_AS(RopeTable(4, 4, 0), std::invalid_argument);
    CHECK_THROWS_AS(RopeTable(4, 4, std::nan("")), std::invalid_argument);
    CHECK_THROWS_AS(RopeTable(Tensor({3, 2}), Tensor({3, 1})), std::invalid_argument);
    std::vector<double> narrow(2);
    CHECK_THROWS_AS(RopeTable(4, 4).rotate(narrow, 0, layouts[0]), std::invalid_argument);
}
