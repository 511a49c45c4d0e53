#include "reference/decoder/token_batch.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace headroom {

std::vector<Index> TokenBatch::counts() const
{
    std::vector<Index> counts;
    for (const auto& row : tokens) counts.push_back(static_cast<Index>(row.size()));
    return counts;
}

Index TokenBatch::total() const
{
    Index sum = 0;
    for (const Index n : counts()) sum += n;
    return sum;
}

Index TokenBatch::longest() const
{
    Index most = 0;
    for (const Index n : counts()) most = std::max(most, n);
    return most;
}

std::vector<Index> TokenBatch::padded_positions() const
{
    const auto L = static_cast<std::size_t>(longest());
    std::vector<Index> all(positions.size() * L, 0);
    for (std::size_t b = 0; b < positions.size(); ++b)
        std::ranges::copy(positions[b], all.begin() + static_cast<std::ptrdiff_t>(b * L));
    return all;
}

TokenBatch following(std::vector<std::vector<int>> tokens, std::span<const Index> lengths)
{
    if (tokens.size() != lengths.size())
        throw std::invalid_argument(std::to_string(tokens.size()) + " rows of tokens for " +
                                    std::to_string(lengths.size()) + " sequences");
    TokenBatch batch{.tokens = std::move(tokens), .positions = {}};
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        std::vector<Index>& row = batch.positions.emplace_back(batch.tokens[b].size());
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = lengths[b] + static_cast<Index>(i);
    }
    return batch;
}

Tensor split_heads(const Tensor& packed, const TokenBatch& batch, Index heads)
{
    const std::vector<Index> counts = batch.counts();
    const Index D = packed.extent(1) / heads;
    Tensor split({static_cast<Index>(counts.size()), heads, batch.longest(), D});
    Index t = 0;
    for (Index b = 0; b < split.extent(0); ++b)
        for (Index i = 0; i < counts[static_cast<std::size_t>(b)]; ++i, ++t)
            for (Index h = 0; h < heads; ++h)
                std::ranges::copy(packed.row(t).subspan(static_cast<std::size_t>(h * D), static_cast<std::size_t>(D)),
                                  split.row(b, h, i).begin());
    return split;
}

Tensor merge_heads(const Tensor& split, const TokenBatch& batch)
{
    const std::vector<Index> counts = batch.counts();
    const Index heads = split.extent(1), D = split.extent(3);
    Tensor packed({batch.total(), heads * D});
    Index t = 0;
    for (Index b = 0; b < split.extent(0); ++b)
        for (Index i = 0; i < counts[static_cast<std::size_t>(b)]; ++i, ++t)
            for (Index h = 0; h < heads; ++h) std::ranges::copy(split.row(b, h, i), packed.row(t).begin() + h * D);
    return packed;
}

} // namespace headroom
