#include "reference/decoder/session.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headroom {
namespace {

// Notes the shape of the keys that a pass adds, and hands them on.
class WatchedKv : public KvMemory {
public:
    WatchedKv(KvMemory& inner, Shape& new_k_shape) : inner_(inner), new_k_shape_(new_k_shape) {}
    void begin(std::span<const Index> new_tokens) override { inner_.begin(new_tokens); }
    KvView keep(Index layer, const Tensor& k, const Tensor& v) override
    {
        new_k_shape_ = k.shape();
        return inner_.keep(layer, k, v);
    }
    void end() override { inner_.end(); }
    void abandon() override { inner_.abandon(); }
    Index positions_in_cache() const override { return inner_.positions_in_cache(); }

private:
    KvMemory& inner_;
    Shape& new_k_shape_;
};

} // namespace

Session::Session(const Decoder& model, std::size_t sequences, const GenerationSettings& settings,
                 const Backend& backend)
    : model_(model), backend_(backend), seen_(sequences), logits_(sequences)
{
    const auto B = static_cast<Index>(sequences);
    if (settings.cache) {
        cache_ = make_cache(model.config, B, *settings.cache);
        memory_ = std::make_unique<CachedKv>(*cache_);
    } else {
        memory_ = std::make_unique<PackedKv>(cache_geometry(model.config, B, settings.recomputed_type));
    }
    longest_pass_ = cache_ ? cache_->longest_append() : model.config.max_length;
    if (settings.chunk > 0) longest_pass_ = std::min(longest_pass_, settings.chunk);
}

void Session::pass(const TokenRows& added, bool prefill, const Visit& visit)
{
    GenerationStep step{.prefill = prefill};
    Backend watched = counted(backend_, step.work);
    watched.attention = [&step, inner = watched.attention](const AttentionProblem& p) {
        const AttentionShape s = headroom::check(p);
        step.q_shape = {s.B, s.H, s.L, s.D};
        step.k_shape = {s.B, s.Hkv, s.S, s.D};
        return inner(p);
    };

    // With a cache the new tokens go in, without one all of them.
    std::vector<Index> past(seen_.size());
    for (std::size_t b = 0; b < seen_.size(); ++b) {
        if (cache_) past[b] = static_cast<Index>(seen_[b].size());
        seen_[b].insert(seen_[b].end(), added[b].begin(), added[b].end());
    }
    const TokenBatch batch = following(cache_ ? added : seen_, past);
    WatchedKv watched_memory(*memory_, step.new_k_shape);
    const auto begin = std::chrono::steady_clock::now();
    const Tensor hidden = forward(model_, batch, watched_memory, watched);
    Index t = 0;
    for (std::size_t b = 0; b < seen_.size(); ++b)
        for (std::size_t i = 0; i < batch.tokens[b].size(); ++i, ++t)
            visit(b, batch.positions[b][i], hidden.row(t), watched);
    step.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();

    for (std::size_t b = 0; b < seen_.size(); ++b) {
        step.past_length = std::max(step.past_length, past[b]);
        step.length = std::max(step.length, static_cast<Index>(seen_[b].size()));
    }
    step.new_tokens = batch.longest();
    step.bytes = bytes();
    steps_.push_back(std::move(step));
}

void Session::pass(const TokenRows& added, bool prefill)
{
    pass(added, prefill, [this](std::size_t b, Index position, std::span<const double> hidden, const Backend& backend) {
        const bool newest = position + 1 == static_cast<Index>(seen_[b].size());
        if (newest) logits_[b] = headroom::logits(model_, hidden, backend);
    });
}

void Session::truncate(std::span<const Index> lengths)
{
    if (cache_) cache_->truncate(lengths);
    for (std::size_t b = 0; b < seen_.size(); ++b) {
        seen_[b].resize(std::min(seen_[b].size(), static_cast<std::size_t>(lengths[b])));
        logits_[b].clear();
    }
}

TokenRows piece(const TokenRows& rows, Index from, Index to)
{
    TokenRows part;
    for (const auto& row : rows) {
        const auto n = static_cast<Index>(row.size());
        part.emplace_back(row.begin() + std::min(from, n), row.begin() + std::min(to, n));
    }
    return part;
}

} // namespace headroom
