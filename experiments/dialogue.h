// A dialogue with a model: one sequence that grows turn by turn, its cache kept in between, as a chat server keeps it.
//
//     a turn      the line's tokens go in as one prefill behind all that is there; then the answer, token by token.
//                 Its last token goes in as well: between turns the cache holds the whole dialogue.
//     an ending   after the end token the next line begins with BOS: another text, in the same cache
#pragma once
#include "experiments/models.h"
#include "reference/decoder/session.h"
#include "reference/tensor/random.h"

namespace headroom {

enum class TurnEnd : std::uint8_t { steps, end_token, context }; // why the answer is no longer than it is

struct Turn {
    std::vector<int> prompt, answer; // tokens
    Index past_length = 0;           // of the dialogue when the turn began
    Index passed = 0;                // tokens that went through the model in this turn
    TurnEnd end = TurnEnd::steps;
    KvCounters bytes = {}; // when it ended; `copied` is the whole turn's
    Work work = {};
    double ms = 0;

    Index length() const { return past_length + fresh(); }
    Index fresh() const { return static_cast<Index>(prompt.size() + answer.size()); }
    Index recomputed() const { return passed - fresh(); } // earlier tokens that went through the model once more
    Index stateless() const { return past_length; }       // those of a server that keeps nothing between turns
};

class Dialogue {
public: // model and backend must outlive it
    // With `forgetful` it is that server: each turn empties the cache and computes all earlier turns again.
    Dialogue(const Model& model, const GenerationSettings& settings, const Backend& backend, bool forgetful = false);

    // The answer to a line; an empty line lets the model go on. std::length_error where the line and one token more do
    // not fit behind the dialogue: nothing has changed then. An answer ends where the context does.
    using OnText = std::function<void(const std::string& text)>; // of each new token
    Turn say(std::string_view line, const OnText& on_text = {});

    // The last turn never was. Where a ring has overwritten what the shorter dialogue sees, that is computed again:
    // returns how many tokens. std::invalid_argument where there is no turn.
    Index undo();
    void reset(); // no turn ever was; the dice roll on

    const std::vector<int>& tokens() const { return tokens_; }
    KvCounters bytes() const { return session_.bytes(); }
    Index limit() const { return limit_; } // tokens of a dialogue; 0: none

private:
    void pass(std::span<const int> tokens, bool prefill);

    const Model& model_;
    GenerationSettings settings_;
    Session session_;
    bool forgetful_;
    Index limit_;
    Random random_;
    std::vector<int> tokens_;  // all of the dialogue's
    std::vector<double> next_; // logits behind the newest of them

    struct Mark { // where a turn began
        std::size_t length;
        std::vector<double> next;
    };
    std::vector<Mark> marks_;
};

} // namespace headroom
