// The keys, and what they do: one table for the keyboard and for the help that lists it.
#pragma once
#include "viewer/app/actions.h"
#include <optional>
#include <string_view>
#include <vector>

namespace headroom {

// The character that it types, capital letters for letters, and one of these for keys that type none.
struct Key {
    static constexpr char32_t left = U'←', right = U'→', up = U'↑', down = U'↓', home = U'⇱', end = U'⇲', escape = 27,
                              enter = 13;
    char32_t code = 0;
    bool shift = false, ctrl = false; // shift counts for keys that type nothing
    bool operator==(const Key&) const = default;
};

struct KeyLine { // of the help
    std::string_view keys;
    Words does;
    std::vector<std::pair<Key, Request>> requests;
};
const std::vector<KeyLine>& key_lines();
std::optional<Request> request_of(const Key& key);

} // namespace headroom
