#include "viewer/picture/paragraph.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

struct Named {
    std::string_view name;
    Ink ink;
    Part part;
};
constexpr std::array tensors{Named{"q", Ink::q, Part::q},
                             Named{"k", Ink::k, Part::k},
                             Named{"v", Ink::v, Part::v},
                             Named{"weights", Ink::weights, Part::weights},
                             Named{"output", Ink::output, Part::output},
                             Named{"warning", Ink::warning, Part::none}};

struct Piece { // what is never broken: a word or one Chinese character, with the space behind it
    std::string words;
    Named look;
    std::vector<Fact> facts;
};

std::vector<Piece> pieces_of(std::string_view markup, Ink plain, const std::vector<Fact>& facts)
{
    std::vector<Piece> pieces;
    const Named unnamed{"", plain, Part::none};
    Named look = unnamed;
    Piece open{.words = {}, .look = look, .facts = {}};
    auto next = facts.begin();
    const auto close = [&] {
        if (!open.words.empty()) pieces.push_back(open);
        open = {.words = {}, .look = look, .facts = {}};
    };
    while (!markup.empty()) {
        if (markup.starts_with('[')) {
            const std::size_t bar = markup.find('|');
            const std::string_view name = markup.substr(1, bar - 1);
            close();
            look = unnamed;
            for (const Named& each : tensors)
                if (each.name == name) look = each;
            if (look.name.empty()) throw std::logic_error("words name an unknown tensor: " + std::string(name));
            open.look = look;
            markup.remove_prefix(bar + 1);
        } else if (markup.starts_with(']')) {
            markup.remove_prefix(1);
            look = unnamed;
            close();
            open.look = look;
        } else if (markup.starts_with("{}")) {
            if (next == facts.end()) throw std::logic_error("words have more {} than facts");
            open.words += "{}";
            open.facts.push_back(*next++);
            markup.remove_prefix(2);
        } else {
            const std::string_view before = markup;
            const char32_t code = take_code_point(markup);
            const std::string_view bytes = before.substr(0, before.size() - markup.size());
            if (code == U' ') {
                open.words += ' ';
                close();
            } else {
                open.words += bytes;
                if (is_wide(code)) close();
            }
        }
    }
    close();
    if (next != facts.end()) throw std::logic_error("words have fewer {} than facts");
    return pieces;
}

std::string printed(const Piece& piece)
{
    std::string words = piece.words;
    for (const Fact& fact : piece.facts) words.replace(words.find("{}"), 2, to_text(fact));
    return words;
}

} // namespace

float paragraph(Picture& picture, Rect at, std::string_view markup, TextStyle style, const std::vector<Fact>& facts)
{
    Point pen{at.x0, at.y0 + text_ascent * style.size};
    const float line = line_height * style.size;
    for (const Piece& piece : pieces_of(markup, style.ink, facts)) {
        std::string bare = printed(piece);
        while (bare.ends_with(' ')) bare.pop_back();
        std::string_view first = bare; // closing punctuation rather hangs over the edge than begins a line
        const bool hangs = !first.empty() && is_closing(take_code_point(first));
        if (!hangs && pen.x > at.x0 && pen.x + text_width(bare, style.face, style.size) > at.x1)
            pen = {at.x0, pen.y + line};
        TextStyle look = style;
        look.ink = piece.look.ink;
        std::string pattern = piece.words;
        while (pattern.ends_with(' ')) pattern.pop_back();
        if (!pattern.empty()) {
            picture.words(pen, pattern, look, piece.facts);
            picture.marks.back().cell.part = piece.look.part;
        }
        pen.x += text_width(printed(piece), style.face, style.size);
    }
    return pen.y + line - text_ascent * style.size;
}

float quotation(Picture& picture, Rect at, std::string_view words, TextStyle style)
{
    const float line = line_height * style.size;
    for (const std::string& each : wrap(words, style.face, style.size, at.width())) {
        if (at.height() < line) break;
        picture.words({at.x0, at.y0 + text_ascent * style.size}, each, style);
        at.cut_top(line);
    }
    return at.y0;
}

} // namespace headroom
