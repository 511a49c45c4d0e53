// A model at work: what it has seen, in a cache or computed again, and a diary of its passes.
#pragma once
#include "reference/decoder/generate.h"

namespace headroom {

using TokenRows = std::vector<std::vector<int>>; // [B][tokens]

class Session {
public: // model and backend must outlive it
    Session(const Decoder& model, std::size_t sequences, const GenerationSettings& settings, const Backend& backend);

    // Takes in each row's new tokens; the logits behind each row's newest token are then known.
    void pass(const TokenRows& added, bool prefill);

    // The same, with a visit to the hidden state of every token that went through the model.
    using Visit = std::function<void(std::size_t b, Index position, std::span<const double> hidden, const Backend&)>;
    void pass(const TokenRows& added, bool prefill, const Visit& visit);

    // Back to each row's first tokens, as if the later ones had not come; their logits are forgotten. Never lengthens.
    // std::length_error: a ring no longer has what the shorter text sees, and nothing has changed.
    void truncate(std::span<const Index> lengths); // [B]

    const std::vector<double>& logits(std::size_t b) const { return logits_[b]; }
    KvCounters bytes() const { return cache_ ? cache_->counters() : KvCounters(); }
    Index longest_pass() const { return longest_pass_; } // tokens of a row that one pass may take
    const std::vector<GenerationStep>& steps() const { return steps_; }

private:
    const Decoder& model_;
    const Backend& backend_;
    std::unique_ptr<KvCache> cache_; // null: none
    std::unique_ptr<KvMemory> memory_;
    Index longest_pass_ = 0;
    TokenRows seen_;
    std::vector<std::vector<double>> logits_; // [B]
    std::vector<GenerationStep> steps_;
};

TokenRows piece(const TokenRows& rows, Index from, Index to); // tokens from … to - 1 of each row, as far as it has them

} // namespace headroom
