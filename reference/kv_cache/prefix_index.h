// Which full blocks of a pool hold which tokens, so that sequences with the same beginning can share them.
//
// What a block holds depends on every token before it, so its key is a chain: hash(block) = H(hash(block before), its
// tokens). A hit counts only if the tokens agree and the block before is the very same content: content numbers are
// given once and never again, so the chain is verified from the first token on and a collision does no harm.
#pragma once
#include "reference/tensor/tensor.h"
#include <unordered_map>

namespace headroom {

using TokenSpan = std::span<const std::int32_t>;
using PrefixHash = std::uint64_t (*)(std::uint64_t before, TokenSpan tokens);
std::uint64_t fnv1a_chain(std::uint64_t before, TokenSpan tokens); // FNV-1a (Fowler, Noll, Vo), 64 bits

class PrefixIndex {
public:
    struct Content {
        std::uint64_t number = 0, hash = 0; // number 0: the empty beginning
    };
    struct Found {
        Index block = -1; // -1: nobody holds this
        Content content;
    };

    PrefixIndex(Index blocks, PrefixHash hash) : hash_(hash), held_(static_cast<std::size_t>(blocks)) {}

    Found find(Content before, TokenSpan tokens) const;
    Content publish(Index block, Content before, TokenSpan tokens); // the content's old number if it is already held
    void forget(Index block) noexcept;                              // it will be overwritten

private:
    struct Entry {
        Index block;
        std::uint64_t number, before;
        std::vector<std::int32_t> tokens;
    };
    using Entries = std::unordered_multimap<std::uint64_t, Entry>;
    PrefixHash hash_;
    Entries entries_;
    std::vector<std::uint64_t> held_; // [blocks] hash of its entry
    std::uint64_t last_number_ = 0;
};

} // namespace headroom
