// One object of a config.json, read strictly: what is stated must be of the right type and size, or is refused.
#pragma once
#include "reference/tensor/tensor.h"
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct Limit { // what a number may be; beyond it the file is broken or not a model's
    Index least, most;
};
inline constexpr Limit layer_limit{1, 65'536}, head_limit{1, 65'536}, width_limit{1, 65'536},
    model_width_limit{1, Index{1} << 24}, token_limit{1, 1'000'000'000}, vocabulary_limit{1, Index{1} << 31};

struct Stated { // a number and the key under which the file states it
    Index value = 0;
    std::string key;
};
using Names = std::initializer_list<std::string_view>; // one quantity's names in different families, preferred first

class ConfigPart {
public:
    // `where` is the path of a nested object, as "text_config"; `nested` objects leave out what equals the class's default.
    ConfigPart(const nlohmann::json& object, std::string where);

    bool has(std::string_view key) const;     // present, perhaps null
    bool states(std::string_view key) const;  // present and not null
    bool is_null(std::string_view key) const; // present as null
    bool nested() const { return !where_.empty(); }
    const std::string& where() const { return where_; }
    const nlohmann::json& object() const { return object_; }
    std::string label(std::string_view key) const; // "text_config.head_dim", for messages

    // Null counts as not stated. All throw std::invalid_argument with key and value on a wrong type or size, and when
    // two of the names state different numbers.
    std::optional<Stated> number(Names names, Limit limit) const;
    std::optional<bool> flag(std::string_view key) const;
    std::optional<std::string> text(std::string_view key) const;
    std::optional<std::vector<Index>> numbers(std::string_view key, Limit limit) const;
    std::optional<std::vector<std::string>> words(std::string_view key) const;
    std::optional<ConfigPart> part(std::string_view key) const;

    // The class that the model belongs to, from model_type, else architectures: lower case, no separators ("gptoss").
    const std::string& family() const { return family_; }
    bool is_family(Names families) const;

private:
    const nlohmann::json& at(std::string_view key) const;
    nlohmann::json object_;
    std::string where_, family_;
};

std::string short_text(const nlohmann::json& value); // for messages: at most 40 characters on one line
Index whole_number(const nlohmann::json& value, const std::string& label, Limit limit);

} // namespace headroom
