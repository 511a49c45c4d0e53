// What headroom chat says about a turn: a line for people, an object for programs.
#pragma once
#include "experiments/dialogue.h"
#include <nlohmann/json_fwd.hpp>

namespace headroom {

struct ChatTotals {
    Index turns = 0, passed = 0, recomputed = 0, stateless = 0; // tokens

    void add(const Turn& turn);
};

nlohmann::ordered_json to_json(const Turn& turn, Index number, const Tokenizer& tokenizer);
nlohmann::ordered_json to_json(const ChatTotals& totals);
std::string to_text(const Turn& turn, Index number, bool cached);
std::string to_text(const ChatTotals& totals);

} // namespace headroom
