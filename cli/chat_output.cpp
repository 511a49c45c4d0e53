#include "cli/chat_output.h"

#include "cli/text.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

const char* name(TurnEnd end)
{
    return end == TurnEnd::steps ? "steps" : end == TurnEnd::end_token ? "end_token" : "context";
}

std::string tokens_text(Index count) { return count_text(count) + (count == 1 ? " token" : " tokens"); }

} // namespace

void ChatTotals::add(const Turn& turn)
{
    ++turns;
    passed += turn.passed;
    recomputed += turn.recomputed();
    stateless += turn.stateless();
}

nlohmann::ordered_json to_json(const Turn& turn, Index number, const Tokenizer& tokenizer)
{
    std::vector<int> whole(turn.prompt); // an answer's first token, decoded behind the line's last
    whole.insert(whole.end(), turn.answer.begin(), turn.answer.end());
    return {{"event", "turn"},
            {"turn", number},
            {"past_length", turn.past_length},
            {"prompt_tokens", turn.prompt.size()},
            {"new_tokens", turn.answer.size()},
            {"length", turn.length()},
            {"ended_by", name(turn.end)},
            {"tokens", whole},
            {"text", tokenizer.decode(whole).substr(tokenizer.decode(turn.prompt).size())},
            {"passed_tokens", turn.passed},
            {"recomputed_tokens", turn.recomputed()},
            {"stateless_recomputed_tokens", turn.stateless()},
            {"live_bytes", turn.bytes.live},
            {"reserved_bytes", turn.bytes.reserved},
            {"copied_bytes", turn.bytes.copied},
            {"peak_bytes", turn.bytes.peak},
            {"linear_madds", turn.work.linear},
            {"attention_madds", turn.work.attention},
            {"ms", turn.ms}};
}

nlohmann::ordered_json to_json(const ChatTotals& totals)
{
    return {{"event", "end"},
            {"turns", totals.turns},
            {"passed_tokens", totals.passed},
            {"recomputed_tokens", totals.recomputed},
            {"stateless_recomputed_tokens", totals.stateless}};
}

std::string to_text(const Turn& turn, Index number, bool cached)
{
    std::string text = fmt::format("turn {}: {} kept, {} + {} new, {} computed again (stateless: {})", number,
                                   count_text(turn.past_length), turn.prompt.size(), turn.answer.size(),
                                   count_text(turn.recomputed()), count_text(turn.stateless()));
    if (cached)
        text += fmt::format("; cache {}, {} copied", bytes_text(turn.bytes.live), bytes_text(turn.bytes.copied));
    if (turn.end == TurnEnd::end_token) text += "; the text has ended, the next line begins another";
    if (turn.end == TurnEnd::context) text += "; the context is full";
    return text;
}

std::string to_text(const ChatTotals& totals)
{
    const Index fresh = totals.passed - totals.recomputed;
    return fmt::format("{} {}: {} went through the model, {} of them once more; a server that keeps nothing between "
                       "turns takes {}, {:.1f} times the dialogue",
                       totals.turns, totals.turns == 1 ? "turn" : "turns", tokens_text(totals.passed),
                       count_text(totals.recomputed), tokens_text(fresh + totals.stateless),
                       fresh ? static_cast<double>(fresh + totals.stateless) / static_cast<double>(fresh) : 1.0);
}

} // namespace headroom
