// Draws follow the distribution that temperature and nucleus leave.
#include "reference/decoder/sampling.h"

#include "tests/support/catch.h"
#include <array>
#include <cmath>

using namespace headroom;

namespace {

// Of tokens with probabilities 8, 4, 2 and 1 fifteenths, how often each is drawn.
std::array<double, 4> shares(double temperature, double top_p)
{
    const std::array<double, 4> logits{std::log(2.0), std::log(8.0), std::log(1.0), std::log(4.0)};
    constexpr int draws = 40000; // a share is off by 0.0025 once in a standard deviation
    Random random(3);
    std::array<double, 4> share{};
    for (int n = 0; n < draws; ++n)
        share[static_cast<std::size_t>(sample(logits, temperature, top_p, random))] += 1.0 / draws;
    return share;
}

void check(const std::array<double, 4>& share, const std::array<double, 4>& wanted)
{
    for (std::size_t token = 0; token < 4; ++token) {
        CAPTURE(token);
        CHECK(std::fabs(share[token] - wanted[token]) < (wanted[token] == 0 ? 1e-9 : 0.012));
    }
}

} // namespace

TEST_CASE("draws follow softmax(logits / temperature)")
{
    check(shares(1, 1), {2.0 / 15, 8.0 / 15, 1.0 / 15, 4.0 / 15});
    check(shares(0.5, 1), {4.0 / 85, 64.0 / 85, 1.0 / 85, 16.0 / 85}); // squares
    check(shares(0, 1), {0, 1, 0, 0});
}

TEST_CASE("top-p keeps the fewest tokens that hold so much, and draws from those alone")
{
    check(shares(1, 0.5), {0, 1, 0, 0});
    check(shares(1, 0.6), {0, 8.0 / 12, 0, 4.0 / 12});
    check(shares(1, 0.9), {2.0 / 14, 8.0 / 14, 0, 4.0 / 14});
}
