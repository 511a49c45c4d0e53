#include "reference/planning/config_part.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>

namespace headroom {
namespace {

std::string plain(std::string_view name)
{
    std::string letters;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

// "Gemma2ForCausalLM" and "gemma2" name the same class, "gemma3_text" is the text part of "gemma3".
std::string family_name(std::string_view name)
{
    std::string family = plain(name);
    for (const std::string_view ending :
         {"forcausallm", "forconditionalgeneration", "lmheadmodel", "lmhead", "model", "decoder", "text"})
        if (family.size() > ending.size() && family.ends_with(ending))
            family = family.substr(0, family.size() - ending.size());
    return family;
}

} // namespace

std::string short_text(const nlohmann::json& value)
{
    std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (text.size() > 40) text = text.substr(0, 37) + "...";
    return text;
}

Index whole_number(const nlohmann::json& value, const std::string& label, Limit limit)
{
    if (!value.is_number_integer())
        throw std::invalid_argument(label + " is " + short_text(value) + ": it must be a whole number");
    const bool too_large =
        value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<Index>::max()};
    const Index number = too_large ? std::numeric_limits<Index>::max() : value.get<Index>();
    if (number < limit.least || number > limit.most)
        throw std::invalid_argument(label + " is " + short_text(value) + ": it must be between " +
                                    std::to_string(limit.least) + " and " + std::to_string(limit.most));
    return number;
}

ConfigPart::ConfigPart(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where))
{
    if (!object_.is_object())
        throw std::invalid_argument((where_.empty() ? std::string("the file") : where_) + " holds " +
                                    short_text(object_) + ", not a JSON object");
    if (const auto type = text("model_type"))
        family_ = family_name(*type);
    else if (const auto classes = words("architectures"); classes && !classes->empty())
        family_ = family_name(classes->front());
}

bool ConfigPart::has(std::string_view key) const { return object_.contains(key); }
bool ConfigPart::states(std::string_view key) const { return has(key) && !at(key).is_null(); }
bool ConfigPart::is_null(std::string_view key) const { return has(key) && at(key).is_null(); }
const nlohmann::json& ConfigPart::at(std::string_view key) const { return *object_.find(key); }

std::string ConfigPart::label(std::string_view key) const
{
    return (where_.empty() ? std::string() : where_ + ".") + std::string(key);
}

std::optional<Stated> ConfigPart::number(Names names, Limit limit) const
{
    std::optional<Stated> found;
    for (const std::string_view key : names) {
        if (!states(key)) continue;
        const Index value = whole_number(at(key), label(key), limit);
        if (!found)
            found = Stated{value, std::string(key)};
        else if (found->value != value)
            throw std::invalid_argument(label(found->key) + " is " + std::to_string(found->value) + " but " +
                                        label(key) + " is " + std::to_string(value) + ": the file contradicts itself");
    }
    return found;
}

std::optional<bool> ConfigPart::flag(std::string_view key) const
{
    if (!has(key)) return std::nullopt;
    if (!at(key).is_boolean())
        throw std::invalid_argument(label(key) + " is " + short_text(at(key)) + ": it must be true or false");
    return at(key).get<bool>();
}

std::optional<std::string> ConfigPart::text(std::string_view key) const
{
    if (!states(key)) return std::nullopt;
    if (!at(key).is_string())
        throw std::invalid_argument(label(key) + " is " + short_text(at(key)) + ": it must be a text");
    return at(key).get<std::string>();
}

std::optional<std::vector<Index>> ConfigPart::numbers(std::string_view key, Limit limit) const
{
    if (!states(key)) return std::nullopt;
    if (!at(key).is_array())
        throw std::invalid_argument(label(key) + " is " + short_text(at(key)) + ": it must be a list of numbers");
    std::vector<Index> list;
    for (const auto& value : at(key)) list.push_back(whole_number(value, "an element of " + label(key), limit));
    return list;
}

std::optional<std::vector<std::string>> ConfigPart::words(std::string_view key) const
{
    if (!states(key)) return std::nullopt;
    const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
    if (!at(key).is_array() || !std::all_of(at(key).begin(), at(key).end(), is_text))
        throw std::invalid_argument(label(key) + " is " + short_text(at(key)) + ": it must be a list of texts");
    return at(key).get<std::vector<std::string>>();
}

std::optional<ConfigPart> ConfigPart::part(std::string_view key) const
{
    if (!states(key)) return std::nullopt;
    return ConfigPart(at(key), label(key));
}

bool ConfigPart::is_family(Names families) const
{
    return std::find(families.begin(), families.end(), family_) != families.end();
}

} // namespace headroom
