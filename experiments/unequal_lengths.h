// A batch of sequences of unequal length, three ways: padded to the longest with a mask; grouped by similar length and
// padded within each group; packed behind one another, with offsets. All give the same hidden states; they differ in
// what they compute and store for nothing.
#pragma once
#include "reference/decoder/decoder.h"
#include "reference/decoder/padding.h"

namespace headroom {

struct UnequalLengthsSettings {
    std::vector<Index> lengths = {5, 7, 120}; // 0 is allowed: a sequence without tokens
    Side padding = Side::left;
    std::uint64_t seed = 1; // of the tokens
};
struct BatchingWay { // all counted in a run
    std::string name, idea;
    Index useful_tokens = 0; // of the sequences
    Index padded_tokens = 0; // computed beside them
    Index passes = 0;
    Index linear_madds = 0, attention_madds = 0;
    Index kv_reserved_bytes = 0;
    bool equal_to_alone = true; // each row's hidden states have the bits of a run without neighbours
};
std::vector<BatchingWay> unequal_lengths(const Decoder& model, const UnequalLengthsSettings& settings,
                                         const Backend& backend);

} // namespace headroom
