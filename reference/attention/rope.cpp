#include "reference/attention/rope.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

// Rows of angles from row `begin` on; row 0 is that of position `first`.
void fill(Tensor& cos, Tensor& sin, std::span<const double> frequencies, Index first, Index begin)
{
    for (Index row = begin; row < cos.extent(0); ++row)
        for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
            const double angle = static_cast<double>(first + row) * frequencies[pair];
            cos.row(row)[pair] = std::cos(angle);
            sin.row(row)[pair] = std::sin(angle);
        }
}

} // namespace

std::vector<double> rope_frequencies(Index rotary_dim, double base)
{
    if (rotary_dim < 0 || rotary_dim % 2 != 0)
        refuse("rotary_dim " + std::to_string(rotary_dim) + " must be an even number of elements");
    if (!(base > 0) || std::isinf(base)) refuse("the base of rotary positions must be a positive number");
    std::vector<double> frequencies(static_cast<std::size_t>(rotary_dim / 2));
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair)
        frequencies[pair] = std::pow(base, -2 * static_cast<double>(pair) / static_cast<double>(rotary_dim));
    return frequencies;
}

RopeTable::RopeTable(Index positions, Index rotary_dim, double base)
    : RopeTable(positions, rope_frequencies(rotary_dim, base))
{}

RopeTable::RopeTable(Index positions, std::vector<double> frequencies) : frequencies_(std::move(frequencies))
{
    if (positions < 0) refuse("a table of " + std::to_string(positions) + " positions");
    cos_ = sin_ = Tensor({positions, static_cast<Index>(frequencies_.size())});
    fill(cos_, sin_, frequencies_, 0, 0);
}

RopeTable RopeTable::between(Index first, Index end, Index rotary_dim, double base)
{
    if (first < 0 || end < first)
        refuse("a table from position " + std::to_string(first) + " to " + std::to_string(end));
    RopeTable table(0, rotary_dim, base);
    table.first_ = first;
    table.grow(end);
    return table;
}

RopeTable::RopeTable(Tensor cos, Tensor sin) : cos_(std::move(cos)), sin_(std::move(sin))
{
    if (cos_.shape().size() != 2 || cos_.shape() != sin_.shape())
        refuse("cos " + to_text(cos_.shape()) + " and sin " + to_text(sin_.shape()) +
               " must both be [positions, rotary_dim / 2]");
}

void RopeTable::grow(Index wanted)
{
    if (wanted <= positions()) return;
    if (frequencies_.empty() && cos_.extent(1) > 0) refuse("a table that was given cannot grow");
    const Index rows = cos_.extent(0);
    for (Tensor* table : {&cos_, &sin_}) {
        Tensor larger({wanted - first_, table->extent(1)});
        std::ranges::copy(table->values(), larger.values().begin());
        *table = std::move(larger);
    }
    fill(cos_, sin_, frequencies_, first_, rows);
}

void RopeTable::require(Index first, Index count) const
{
    if (first < first_ || count < 0 || first > positions() || count > positions() - first)
        refuse(std::to_string(count) + " positions from " + std::to_string(first) + " on are not all in the table of " +
               std::to_string(first_) + " … " + std::to_string(positions() - 1));
}

void RopeTable::rotate(std::span<double> x, Index position, RopeLayout layout) const
{
    require(position, 1);
    const auto pairs = static_cast<std::size_t>(cos_.extent(1));
    if (2 * pairs > x.size())
        refuse("rotary_dim " + std::to_string(2 * pairs) + " exceeds head_dim " + std::to_string(x.size()));
    const std::span<const double> cos = cos_.row(position - first_), sin = sin_.row(position - first_);
    const bool neighbours = layout == RopeLayout::neighbouring_pairs;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        double& a = x[neighbours ? 2 * pair : pair];
        double& b = x[neighbours ? 2 * pair + 1 : pair + pairs];
        const double turned_a = a * cos[pair] - b * sin[pair], turned_b = b * cos[pair] + a * sin[pair];
        a = turned_a;
        b = turned_b;
    }
}

Tensor rope(const Tensor& x, std::span<const Index> positions, const RopeTable& table, RopeLayout layout)
{
    if (x.shape().size() != 4) refuse("x " + to_text(x.shape()) + " must be [B, H, L, D]");
    const Index B = x.extent(0), H = x.extent(1), L = x.extent(2);
    if (static_cast<Index>(positions.size()) != B * L)
        refuse(std::to_string(positions.size()) + " positions for x " + to_text(x.shape()) +
               ": one per sequence and token");
    Tensor turned = x;
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < L; ++i)
                table.rotate(turned.row(b, h, i), positions[static_cast<std::size_t>(b * L + i)], layout);
    return turned;
}

} // namespace headroom
