#include "reference/planning/lenient_json.h"

#include "reference/tensor/files.h"
#include "reference/tensor/json_names.h"
#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

namespace headroom {
namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20;
constexpr std::size_t deepest_nesting = 64;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Length of the string literal that starts at text[at], quotes included.
std::size_t string_length(std::string_view text, std::size_t at)
{
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size()) - at;
}

std::string_view unknown_number(std::string_view text, std::size_t at)
{
    if (at > 0 && is_word(text[at - 1])) return {};
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
        if (text.substr(at).starts_with(word) && (at + word.size() == text.size() || !is_word(text[at + word.size()])))
            return word;
    return {};
}

bool is_trailing_comma(std::string_view text, std::size_t at)
{
    if (text[at] != ',') return false;
    const auto next = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), is_space);
    return next != text.end() && (*next == '}' || *next == ']');
}

bool ends_a_value(std::string_view text) // "{," is no trailing comma
{
    const auto last = std::find_if_not(text.rbegin(), text.rend(), is_space);
    return last != text.rend() && *last != '{' && *last != '[' && *last != ',' && *last != ':';
}

// The same text as strict JSON; line breaks stay where they are.
std::string as_strict_json(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::string strict;
    strict.reserve(text.size() + 16);
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') {
            const std::size_t length = string_length(text, at);
            strict += text.substr(at, length);
            at += length;
        } else if (const std::string_view word = unknown_number(text, at); !word.empty()) {
            strict.append("\"").append(word).append("\"");
            at += word.size();
        } else {
            if (!is_trailing_comma(text, at) || !ends_a_value(strict)) strict += text[at];
            ++at;
        }
    }
    return strict;
}

using Json = nlohmann::json;

// Refuses deep nesting before it costs anything, and keys that appear twice.
class Guard : public JsonNames {
    void opens(std::size_t depth) override
    {
        if (depth > deepest_nesting)
            throw std::invalid_argument("nested deeper than " + std::to_string(deepest_nesting) + " levels");
    }
    void repeated(const std::string& name) override
    {
        throw std::invalid_argument("the key " + Json(name).dump() + " appears twice in one object");
    }
};

} // namespace

nlohmann::json parse_lenient_json(const std::string& text)
{
    if (text.size() > largest_file) throw std::invalid_argument("larger than 16 MiB: not a model's config.json");
    const std::string strict = as_strict_json(text);
    try {
        Guard guard;
        Json::sax_parse(strict, &guard);
        return Json::parse(strict);
    } catch (const nlohmann::json::parse_error& error) {
        const auto stop = strict.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, strict.size()));
        const auto line = 1 + std::count(strict.begin(), stop, '\n');
        const bool ended = error.byte > strict.size();
        throw std::invalid_argument("not JSON: " + std::string(ended ? "it ends in the middle, in" : "error in") +
                                    " line " + std::to_string(line));
    } catch (const nlohmann::json::out_of_range&) {
        throw std::invalid_argument("it holds a number that is larger than any double");
    }
}

nlohmann::json read_lenient_json(const std::filesystem::path& file)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    if (!error && size > largest_file) throw std::invalid_argument("larger than 16 MiB: not a model's config.json");
    const std::vector<std::byte> bytes = read_file(file);
    return parse_lenient_json(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

} // namespace headroom
