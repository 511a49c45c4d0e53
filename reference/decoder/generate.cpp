#include "reference/decoder/generate.h"

#include "reference/decoder/sampling.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace headroom {

std::unique_ptr<KvCache> make_cache(const DecoderConfig& config, Index sequences, const CacheChoice& choice)
{
    return cache_kind(choice.kind).make(cache_geometry(config, sequences, choice.type), choice.options);
}

namespace {

using Rows = std::vector<std::vector<int>>;

// A model, the memory of what it has seen, and a diary of its passes.
class Session {
public:
    Session(const Decoder& model, std::size_t sequences, const GenerationSettings& settings, const Backend& backend)
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

    Index longest_pass() const { return longest_pass_; }
    const std::vector<double>& logits(std::size_t b) const { return logits_[b]; } // behind the row's newest token
    std::vector<GenerationStep> steps;

    // `added` are the new tokens; `visit(b, position, hidden)` sees each one's hidden state.
    template <class Visit> void pass(const Rows& added, bool prefill, Visit&& visit)
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
        const auto begin = std::chrono::steady_clock::now();
        const Tensor hidden = forward(model_, batch, *memory_, watched);
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
        if (cache_) step.bytes = cache_->counters();
        steps.push_back(std::move(step));
    }

    void pass(const Rows& added, bool prefill)
    {
        pass(added, prefill,
             [this](std::size_t b, Index position, std::span<const double> hidden, const Backend& backend) {
                 if (position + 1 == static_cast<Index>(seen_[b].size()))
                     logits_[b] = headroom::logits(model_, hidden, backend);
             });
    }

private:
    const Decoder& model_;
    const Backend& backend_;
    std::unique_ptr<KvCache> cache_;
    std::unique_ptr<KvMemory> memory_;
    Index longest_pass_ = 0;
    Rows seen_;
    std::vector<std::vector<double>> logits_;
};

// The tokens from..to of each row, as far as it has them.
Rows piece(const Rows& rows, Index from, Index to)
{
    Rows part;
    for (const auto& row : rows) {
        const auto n = static_cast<Index>(row.size());
        part.emplace_back(row.begin() + std::min(from, n), row.begin() + std::min(to, n));
    }
    return part;
}

Index longest(const Rows& rows)
{
    Index most = 0;
    for (const auto& row : rows) most = std::max(most, static_cast<Index>(row.size()));
    return most;
}

} // namespace

Generation generate(const Decoder& model, std::vector<std::vector<int>> prompts, const GenerationSettings& settings,
                    const Backend& backend)
{
    for (const auto& prompt : prompts)
        if (prompt.empty()) throw std::invalid_argument("a prompt has no token, not even BOS");
    if (settings.steps < 0 || settings.chunk < 0) throw std::invalid_argument("steps and chunk must not be negative");
    const Index prompt_length = longest(prompts), last_length = prompt_length + std::max<Index>(settings.steps - 1, 0);
    if (last_length > model.config.max_length)
        throw std::invalid_argument("a prompt of " + std::to_string(prompt_length) + " tokens and " +
                                    std::to_string(settings.steps) + " steps need a context of " +
                                    std::to_string(last_length) + " tokens; the model's is " +
                                    std::to_string(model.config.max_length));

    Session session(model, prompts.size(), settings, backend);
    for (Index from = 0; from < prompt_length; from += session.longest_pass())
        session.pass(piece(prompts, from, std::min(prompt_length, from + session.longest_pass())), true);

    Generation result{.tokens = std::move(prompts), .steps = {}};
    Random random(settings.seed);
    std::vector<bool> resting(result.tokens.size(), false);
    for (Index step = 0; step < settings.steps; ++step) {
        Rows added(result.tokens.size());
        for (std::size_t b = 0; b < added.size(); ++b) {
            if (resting[b]) continue;
            const int token = sample(session.logits(b), settings.temperature, settings.top_p, random);
            added[b] = {token};
            result.tokens[b].push_back(token);
            if (settings.on_token) settings.on_token(b, token);
            resting[b] = settings.stop_at_end && token == 2;
        }
        if (step + 1 == settings.steps || std::ranges::count(resting, false) == 0) break;
        session.pass(added, false);
    }
    result.steps = std::move(session.steps);
    return result;
}

Score score(const Decoder& model, std::span<const int> tokens, const GenerationSettings& settings,
            const Backend& backend)
{
    const auto n = static_cast<Index>(tokens.size());
    if (n < 2) throw std::invalid_argument("there is nothing to predict: the text has no token behind BOS");
    if (n - 1 > model.config.max_length)
        throw std::invalid_argument("the text has " + std::to_string(n) + " tokens, the model's context is " +
                                    std::to_string(model.config.max_length));
    Score score;
    Session session(model, 1, settings, backend);
    const Rows row{{tokens.begin(), tokens.end() - 1}}; // the last one is only predicted
    for (Index from = 0; from < n - 1; from += session.longest_pass()) {
        const Index to = std::min(n - 1, from + session.longest_pass());
        session.pass(piece(row, from, to), true,
                     [&](std::size_t, Index position, std::span<const double> hidden, const Backend& watched) {
                         if (position < from) return; // without a cache, seen before
                         score.nll -= log_probability(logits(model, hidden, watched),
                                                      tokens[static_cast<std::size_t>(position + 1)]);
                         ++score.predicted;
                     });
    }
    score.perplexity = std::exp(score.nll / static_cast<double>(score.predicted));
    return score;
}

} // namespace headroom
