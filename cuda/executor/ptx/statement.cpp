#include "cuda/executor/ptx/statement.h"

#include <algorithm>
#include <cstdlib>

namespace headroom::cuda::ptx {
namespace {

constexpr std::string_view blank = " \t\r\n";

bool starts_number(std::string_view t)
{
    return !t.empty() && (std::isdigit(static_cast<unsigned char>(t[0])) || t[0] == '-');
}

// 42, -1, 0x1f, 0f3F800000 (a float's bits), 0d… (a double's), with an optional U.
u64 parse_number(std::string_view t)
{
    const std::string text(t);
    if (t.size() > 2 && t[0] == '0' && (t[1] == 'f' || t[1] == 'F' || t[1] == 'd' || t[1] == 'D'))
        return std::strtoull(text.c_str() + 2, nullptr, 16);
    if (t[0] == '-') return static_cast<u64>(std::strtoll(text.c_str(), nullptr, 0));
    return std::strtoull(text.c_str(), nullptr, 0);
}

} // namespace

std::string_view trim(std::string_view text)
{
    const auto first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> pieces;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : separator;
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (c != separator || (depth && i < text.size())) continue;
        if (const auto piece = trim(text.substr(begin, i - begin)); !piece.empty()) pieces.push_back(piece);
        begin = i + 1;
    }
    return pieces;
}

Operand parse_operand(std::string_view text)
{
    text = trim(text);
    Operand o;
    if (text == "_") return o;
    if (text.front() == '{') {
        o.kind = Operand::Kind::vector;
        for (const auto element : split(text.substr(1, text.size() - 2), ','))
            o.elements.push_back(parse_operand(element));
        return o;
    }
    if (text.front() == '[') {
        o.kind = Operand::Kind::address;
        const auto pieces = split(text.substr(1, text.size() - 2), ',');
        const auto base = pieces.at(0);
        const auto plus = base.find('+');
        const auto name = trim(base.substr(0, plus));
        if (starts_number(name))
            o.offset = static_cast<i64>(parse_number(name));
        else
            o.name = name;
        if (plus != base.npos) o.offset += static_cast<i64>(parse_number(trim(base.substr(plus + 1))));
        for (std::size_t i = 1; i < pieces.size(); ++i) o.elements.push_back(parse_operand(pieces[i])); // coordinates
        return o;
    }
    if (const auto bar = text.find('|'); bar != text.npos) {
        o = parse_operand(text.substr(0, bar));
        o.has_predicate = true;
        o.elements.push_back(parse_operand(text.substr(bar + 1)));
        return o;
    }
    if (starts_number(text)) {
        o.kind = Operand::Kind::number;
        o.number = parse_number(text);
        return o;
    }
    o.kind = Operand::Kind::name;
    o.name = text;
    return o;
}

bool Statement::has(std::string_view part) const { return std::find(parts.begin(), parts.end(), part) != parts.end(); }

Statement parse_statement(std::string_view text)
{
    Statement s;
    text = trim(text);
    s.text = text;
    for (char& c : s.text)
        if (c == '\t' || c == '\n') c = ' ';
    if (text.front() == '@') {
        const auto end = text.find_first_of(blank);
        s.guard_negated = text[1] == '!';
        s.guard = text.substr(s.guard_negated ? 2 : 1, end - (s.guard_negated ? 2 : 1));
        text = trim(text.substr(end));
    }
    const auto end = text.find_first_of(blank);
    const auto pieces = split(text.substr(0, end), '.');
    s.opcode = pieces.at(0);
    s.parts.assign(pieces.begin() + 1, pieces.end());
    if (end == text.npos) return s;
    for (const auto operand : split(text.substr(end), ',')) s.operands.push_back(parse_operand(operand));
    return s;
}

} // namespace headroom::cuda::ptx
