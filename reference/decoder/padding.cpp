#include "reference/decoder/padding.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace headroom {

TokenBatch padded_pass(std::vector<std::vector<int>> tokens, const std::vector<std::vector<bool>>& real)
{
    TokenBatch batch{.tokens = std::move(tokens), .positions = {}};
    const auto B = static_cast<Index>(real.size());
    const Index S = B ? static_cast<Index>(real.front().size()) : 0;
    batch.mask = Tensor({B, 1, 1, S});
    for (std::size_t b = 0; b < real.size(); ++b) {
        const std::size_t L = batch.tokens.at(b).size();
        if (real[b].size() != static_cast<std::size_t>(S) || L > real[b].size())
            throw std::invalid_argument("padded rows: row " + std::to_string(b) + " has " +
                                        std::to_string(real[b].size()) + " slots, the first row " + std::to_string(S));
        std::vector<Index>& positions = batch.positions.emplace_back();
        Index before = 0;
        for (std::size_t slot = 0; slot < real[b].size(); ++slot) {
            if (slot + L >= real[b].size()) positions.push_back(before);
            batch.mask(static_cast<Index>(b), 0, 0, static_cast<Index>(slot)) = real[b][slot] ? 1 : 0;
            before += real[b][slot] ? 1 : 0;
        }
    }
    return batch;
}

PaddedRows pad(const std::vector<std::vector<int>>& rows, Side side)
{
    std::size_t longest = 0;
    for (const auto& row : rows) longest = std::max(longest, row.size());
    PaddedRows padded;
    for (const auto& row : rows) {
        const std::size_t from = side == Side::left ? longest - row.size() : 0;
        std::vector<int>& tokens = padded.tokens.emplace_back(longest, 0);
        std::vector<bool>& real = padded.real.emplace_back(longest, false);
        for (std::size_t i = 0; i < row.size(); ++i) {
            tokens[from + i] = row[i];
            real[from + i] = true;
        }
    }
    return padded;
}

} // namespace headroom
