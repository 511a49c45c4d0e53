// Sequences of 5, 7 and 120 tokens in one batch: padded, grouped, packed; what each computes, and whether it is right.
#include "reference/attention/attention.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <fmt/core.h>

using namespace headroom;

constexpr Index H = 4, Hkv = 2, D = 8;
const std::vector<Index> lengths = {5, 7, 120}, offsets = {0, 5, 12, 132}; // packed: sequence b begins at offsets[b]

struct Batch {
    Tensor q, k, v;
};

// Tokens from … to - 1 of packed tokens [1, heads, T, D], where they lie.
StoredView slice(const Tensor& packed, Index from, Index to)
{
    StoredView part = view(packed);
    part.data += from * part.byte_stride[2];
    part.extent[2] = to - from;
    return part;
}

// Packed: each sequence attends to its own slice, as long as it is. Nothing is copied, nothing is hidden.
Tensor attend_packed(const Batch& packed, Index b) // [1, H, length, D]
{
    const Index from = offsets[std::size_t(b)], to = offsets[std::size_t(b) + 1], length = to - from;
    const KvView kv{.k = slice(packed.k, from, to), .v = slice(packed.v, from, to), .sequences = 1, .length = &length};
    return attention({.q = slice(packed.q, from, to), .kv = kv, .options = {}}).output;
}

// Some sequences in a box as long as the longest of them, each moved to the right end; zeros in front.
Tensor pad_left(const Tensor& packed, const std::vector<Index>& members, Index longest)
{
    const Index heads = packed.extent(1);
    Tensor box({Index(members.size()), heads, longest, D});
    for (Index row = 0; row < Index(members.size()); ++row) {
        const auto b = std::size_t(members[std::size_t(row)]);
        for (Index h = 0; h < heads; ++h)
            for (Index i = 0; i < lengths[b]; ++i)
                std::ranges::copy(packed.row(0, h, offsets[b] + i), box.row(row, h, longest - lengths[b] + i).begin());
    }
    return box;
}

struct Way {
    Index slots = 0, multiply_adds = 0, wrong = 0; // wrong: tokens whose output is not the one they have alone
};
void add_padded(Way& way, const Batch& packed, const std::vector<Index>& members, bool masked)
{
    Index longest = 0;
    for (const Index b : members) longest = std::max(longest, lengths[std::size_t(b)]);
    const auto rows = Index(members.size());
    const Tensor q = pad_left(packed.q, members, longest), k = pad_left(packed.k, members, longest),
                 v = pad_left(packed.v, members, longest);

    // The mask hides the slots in front of a sequence's first token. Causality is a rule of its own.
    Tensor mask({rows, 1, 1, longest}, 1.0);
    for (Index row = 0; row < rows; ++row)
        for (Index j = 0; j < longest - lengths[std::size_t(members[std::size_t(row)])]; ++j) mask(row, 0, 0, j) = 0;

    const std::vector<Index> all(members.size(), longest);
    const KvView kv{.k = view(k), .v = view(v), .sequences = rows, .length = all.data()};
    const Tensor output = attention({.q = view(q), .kv = kv, .options = {}, .mask = masked ? &mask : nullptr}).output;
    for (Index row = 0; row < rows; ++row) {
        const Index b = members[std::size_t(row)], length = lengths[std::size_t(b)];
        const Tensor alone = attend_packed(packed, b);
        for (Index i = 0; i < length; ++i)
            way.wrong += !std::ranges::equal(output.row(row, 0, longest - length + i), alone.row(0, 0, i));
    }
    way.slots += rows * longest;
    way.multiply_adds += rows * H * longest * longest * 2 * D; // Q K^T and P V, as dense products do them
}

int main()
{
    Random random(13);
    const Index T = offsets.back();
    const Batch packed{random_uniform({1, H, T, D}, random), random_uniform({1, Hkv, T, D}, random),
                       random_uniform({1, Hkv, T, D}, random)};
    Way unmasked, masked, grouped, ragged;
    add_padded(unmasked, packed, {0, 1, 2}, false);
    add_padded(masked, packed, {0, 1, 2}, true);
    add_padded(grouped, packed, {0, 1}, true);
    add_padded(grouped, packed, {2}, true);
    ragged.slots = T;
    for (const Index length : lengths) ragged.multiply_adds += H * length * length * 2 * D;
    for (const auto& [name, way] : {std::pair{"padded, no mask", unmasked},
                                    {"padded, masked", masked},
                                    {"grouped, masked", grouped},
                                    {"packed", ragged}})
        fmt::print("{:16} slots {:3}, empty {:2.0f} %   multiply-adds {:7}   wrong tokens {:2}\n", name, way.slots,
                   100 * double(way.slots - T) / double(way.slots), way.multiply_adds, way.wrong);
}
