#include "viewer/scenes/cache_table.h"

#include <algorithm>
#include <array>

namespace headroom {
namespace {

struct Column {
    Words name;
    Fact (*fact)(const Lane& lane, const RecordedStep& step);
};
Fact measured_bytes(std::string what, const Lane& lane, Index number)
{
    return bytes_of(std::move(what) + ", " + lane.name, number, Fact::Origin::measured);
}
constexpr std::array columns{
    Column{Words::live,
           [](const Lane& l, const RecordedStep& s) { return measured_bytes("live bytes", l, s.counters.live); }},
    Column{
        Words::reserved,
        [](const Lane& l, const RecordedStep& s) { return measured_bytes("reserved bytes", l, s.counters.reserved); }},
    Column{Words::peak,
           [](const Lane& l, const RecordedStep& s) { return measured_bytes("peak bytes", l, s.counters.peak); }},
    Column{Words::copied,
           [](const Lane& l, const RecordedStep& s) { return measured_bytes("copied bytes", l, s.counters.copied); }},
    Column{Words::allocations,
           [](const Lane& l, const RecordedStep& s) {
               Fact fact = count_of("allocations, " + l.name, s.counters.allocations);
               fact.origin = Fact::Origin::measured;
               return fact;
           }},
    Column{Words::unused,
           [](const Lane& l, const RecordedStep& s) {
               const double reserved = static_cast<double>(s.counters.reserved),
                            live = static_cast<double>(s.counters.live);
               return Fact{.what = "unused part, " + l.name,
                           .number = reserved > 0 ? 100 * (reserved - live) / reserved : 0,
                           .unit = Unit::percent};
           }},
    Column{Words::storage_error,
           [](const Lane& l, const RecordedStep& s) {
               return Fact{.what = "error of the stored numbers, " + l.name,
                           .number = 100 * s.storage_error,
                           .unit = Unit::percent,
                           .origin = Fact::Origin::measured};
           }},
};

Rect column_of(Rect table, std::size_t c, float em)
{
    return table.column(static_cast<int>(c), static_cast<int>(columns.size()), 0.2f * em);
}

} // namespace

void draw_table_head(Picture& picture, Rect table, float base_line, Language language, float em)
{
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Rect column = column_of(table, c, em);
        const std::string_view name = words(columns[c].name, language);
        const float size = std::min(0.8f * em, column.width() / text_width(name, Face::sans, 1));
        picture.words({column.x1, base_line}, name, {.ink = Ink::muted, .size = size, .align = Align::right});
    }
}

void draw_table_row(Picture& picture, Rect table, float base_line, const Lane& lane, const RecordedStep& step, float em)
{
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Rect column = column_of(table, c, em);
        const bool moves = columns[c].name == Words::copied && step.counters.copied > 0;
        const float fitting = column.width() / text_width("1023 KiB ", Face::mono, 1);
        picture.words({column.x1, base_line}, "{}",
                      {.ink = moves ? Ink::warning : Ink::ink,
                       .size = std::min(0.8f * em, fitting),
                       .face = Face::mono,
                       .align = Align::right},
                      {columns[c].fact(lane, step)});
    }
}

} // namespace headroom
