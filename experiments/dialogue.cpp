#include "experiments/dialogue.h"

#include "reference/decoder/sampling.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

Index longest_dialogue(const Decoder& model, const GenerationSettings& settings)
{
    require_context(model, settings, 0, "");
    if (!settings.cache) return model.config.max_length;
    const CacheOptions& options = settings.cache->options;
    if (options.positions == RingPositions::in_cache) return 0;
    if (settings.cache->kind == "ring") return model.config.max_length;
    return std::min(model.config.max_length, options.max_length);
}

} // namespace

Dialogue::Dialogue(const Model& model, const GenerationSettings& settings, const Backend& backend, bool forgetful)
    : model_(model), settings_(settings), session_(model.decoder, 1, settings, backend), forgetful_(forgetful),
      limit_(longest_dialogue(model.decoder, settings)), random_(settings.seed)
{}

void Dialogue::pass(std::span<const int> tokens, bool prefill)
{
    const TokenRows row{{tokens.begin(), tokens.end()}};
    const auto count = static_cast<Index>(tokens.size());
    for (Index from = 0; from < count; from += session_.longest_pass())
        session_.pass(piece(row, from, std::min(count, from + session_.longest_pass())), prefill);
    if (count > 0) next_ = session_.logits(0);
}

Turn Dialogue::say(std::string_view line, const OnText& on_text)
{
    Turn turn{.prompt = model_.tokenizer.encode(line), .answer = {}, .past_length = static_cast<Index>(tokens_.size())};
    const bool goes_on = !tokens_.empty() && tokens_.back() != Tokenizer::end;
    if (goes_on) turn.prompt.erase(turn.prompt.begin()); // BOS stands before a text only
    const auto fits = [&](Index more) { return limit_ == 0 || turn.length() + more <= limit_; };
    if (!fits(std::min<Index>(settings_.steps, 1)))
        throw std::length_error("the dialogue has " + std::to_string(turn.past_length) + " tokens, the line " +
                                std::to_string(turn.prompt.size()) + "; with an answer that is more than the " +
                                std::to_string(limit_) + " that fit. A ring with in-cache positions has no such limit");

    marks_.push_back({tokens_.size(), next_});
    const std::size_t passes_before = session_.steps().size();
    if (forgetful_) {
        session_.truncate(std::vector<Index>{0});
        pass(tokens_, true);
    }
    pass(turn.prompt, true);
    tokens_.insert(tokens_.end(), turn.prompt.begin(), turn.prompt.end());

    for (Index step = 0; step < settings_.steps; ++step) {
        if (!fits(1)) {
            turn.end = TurnEnd::context;
            break;
        }
        const int token = sample(next_, settings_.temperature, settings_.top_p, random_);
        if (on_text) on_text(model_.tokenizer.decode_one(token, tokens_.back()));
        turn.answer.push_back(token);
        tokens_.push_back(token);
        pass(std::span(&token, 1), false);
        if (token == Tokenizer::end) {
            turn.end = TurnEnd::end_token;
            break;
        }
    }

    Index copied = 0;
    for (const GenerationStep& step : std::span(session_.steps()).subspan(passes_before)) {
        turn.passed += step.new_tokens;
        copied += step.bytes.copied;
        turn.work.linear += step.work.linear;
        turn.work.attention += step.work.attention;
        turn.work.kv_bytes += step.work.kv_bytes;
        turn.ms += step.ms;
    }
    turn.bytes = session_.bytes();
    turn.bytes.copied = copied;
    return turn;
}

Index Dialogue::undo()
{
    if (marks_.empty()) throw std::invalid_argument("there is no turn to undo");
    const std::size_t length = marks_.back().length;
    Index recomputed = 0;
    try {
        session_.truncate(std::vector{static_cast<Index>(length)});
    } catch (const std::length_error&) {
        session_.truncate(std::vector<Index>{0});
        pass(std::span(tokens_).first(length), true);
        recomputed = static_cast<Index>(length);
    }
    tokens_.resize(length);
    next_ = marks_.back().next;
    marks_.pop_back();
    return recomputed;
}

void Dialogue::reset()
{
    session_.truncate(std::vector<Index>{0});
    tokens_.clear();
    next_.clear();
    marks_.clear();
}

} // namespace headroom
