// Cache: the same token through every kind of cache; where it goes, what moves for it, what is held.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/page.h"
#include <algorithm>
#include <array>
#include <set>

namespace headroom {
namespace {

// A lane's memory at one step, slot by slot.
struct Slots {
    std::vector<Index> position;              // of the token that lies there, -1: none
    std::set<Index> written, copied, evicted; // slots
};

Slots slots_of(const Lane& lane, std::size_t at)
{
    const RecordedStep& step = lane.steps[at];
    Slots slots{.position = std::vector<Index>(static_cast<std::size_t>(step.slots), -1),
                .written = {},
                .copied = {},
                .evicted = {}};
    std::set<Index> present;
    for (Index j = 0; j < (step.slot.empty() ? 0 : step.slot.extent(1)); ++j) {
        const auto slot = static_cast<Index>(step.slot(0, j)), position = static_cast<Index>(step.position(0, j));
        if (slot < 0 || slot >= step.slots) continue;
        slots.position[static_cast<std::size_t>(slot)] = position;
        present.insert(position);
        if (position >= step.past) slots.written.insert(slot);
    }
    const bool moved =
        std::ranges::any_of(step.events, [](const CacheEvent& e) { return e.kind == CacheEvent::Kind::copy; });
    for (Index slot = 0; moved && slot < step.slots; ++slot)
        if (slots.position[static_cast<std::size_t>(slot)] >= 0 && !slots.written.contains(slot))
            slots.copied.insert(slot);
    if (at == 0) return slots;
    const RecordedStep& before = lane.steps[at - 1];
    for (Index j = 0; j < (before.slot.empty() ? 0 : before.slot.extent(1)); ++j)
        if (!present.contains(static_cast<Index>(before.position(0, j))))
            slots.evicted.insert(static_cast<Index>(before.slot(0, j)));
    return slots;
}

struct Column { // of the table at the right
    Words name;
    Fact (*fact)(const Lane& lane, const RecordedStep& step);
};
Fact bytes(std::string what, Index number)
{
    return {.what = std::move(what),
            .number = static_cast<double>(number),
            .unit = Unit::bytes,
            .origin = Fact::Origin::measured};
}
constexpr std::array columns{
    Column{Words::live,
           [](const Lane& l, const RecordedStep& s) { return bytes("live bytes, " + l.name, s.counters.live); }},
    Column{
        Words::reserved,
        [](const Lane& l, const RecordedStep& s) { return bytes("reserved bytes, " + l.name, s.counters.reserved); }},
    Column{Words::peak,
           [](const Lane& l, const RecordedStep& s) { return bytes("peak bytes, " + l.name, s.counters.peak); }},
    Column{Words::copied,
           [](const Lane& l, const RecordedStep& s) { return bytes("copied bytes, " + l.name, s.counters.copied); }},
    Column{Words::allocations,
           [](const Lane& l, const RecordedStep& s) {
               return Fact{.what = "allocations, " + l.name,
                           .number = static_cast<double>(s.counters.allocations),
                           .unit = Unit::count,
                           .origin = Fact::Origin::measured};
           }},
    Column{Words::unused,
           [](const Lane& l, const RecordedStep& s) {
               const double reserved = static_cast<double>(s.counters.reserved);
               return Fact{.what = "unused part, " + l.name,
                           .number =
                               reserved > 0 ? 100 * (reserved - static_cast<double>(s.counters.live)) / reserved : 0,
                           .unit = Unit::percent};
           }},
};

constexpr std::array lane_inks{Ink::q, Ink::k, Ink::v, Ink::output, Ink::accent, Ink::muted};
constexpr std::array lane_dashes{0.0f, 10.0f, 5.0f, 14.0f, 3.0f, 8.0f};

class CacheScene {
public:
    CacheScene(Picture& picture, const Recording& recording, const View& view, Rect at)
        : picture_(picture), recording_(recording), view_(view),
          page_(page(picture, recording, view, Words::cache_title, at)), em_(page_.em), now_(moment(recording, view))
    {
        for (const Lane& lane : recording.lanes)
            for (const RecordedStep& step : lane.steps) most_slots_ = std::max(most_slots_, step.slots);
    }

    void draw()
    {
        Rect body = page_.body;
        const Rect chart = body.cut_bottom(std::min(12 * em_, body.height() * 0.27f));
        body.cut_bottom(0.8f * em_);
        lanes(panel(picture_, body, em_));
        charts(chart);
        commentary();
        moved_until_now();
    }

private:
    std::size_t step_index(const Lane& lane) const { return std::min(now_.step, lane.steps.size() - 1); }

    void lanes(Rect room)
    {
        picture_.words({room.x0, room.y0 + 0.9f * em_}, words(Words::where_does_it_go, view_.language), page_.heading);
        Rect names = room.cut_left(0.16f * room.width());
        Rect table = room.cut_right(0.41f * room.width());
        room.cut_right(em_);
        const Rect legend_row = room.cut_bottom(2 * em_);
        table.cut_bottom(2 * em_);
        names.cut_bottom(2 * em_);
        const float top = room.y0 + 1.5f * em_;
        const int columns_count = static_cast<int>(columns.size());
        for (int c = 0; c < columns_count; ++c) {
            const Rect column = table.column(c, columns_count, 0.2f * em_);
            picture_.words({column.x1, room.y0 + 0.9f * em_},
                           words(columns[static_cast<std::size_t>(c)].name, view_.language),
                           {.ink = Ink::muted, .size = 0.8f * em_, .align = Align::right});
        }
        const int n = static_cast<int>(recording_.lanes.size());
        for (int i = 0; i < n; ++i) {
            const Lane& lane = recording_.lanes[static_cast<std::size_t>(i)];
            if (lane.steps.empty()) continue;
            const RecordedStep& step = lane.steps[step_index(lane)];
            const Rect row = Rect{room.x0, top, room.x1, room.y1}.row(i, n, 0.3f * em_);
            const float middle = row.centre().y;
            picture_.words({names.x0, middle}, shorten(lane.name, Face::sans, em_, names.width() - 0.5f * em_),
                           page_.text);
            picture_.words({names.x0, middle + 1.1f * em_},
                           shorten(lane.detail, Face::sans, 0.75f * em_, names.width() - 0.5f * em_),
                           {.ink = Ink::muted, .size = 0.75f * em_});
            memory(row, lane, step_index(lane));
            for (int c = 0; c < columns_count; ++c) {
                const Rect column = table.column(c, columns_count, 0.2f * em_);
                const Column& entry = columns[static_cast<std::size_t>(c)];
                const bool moves = entry.name == Words::copied && step.counters.copied > 0;
                const float fitting = column.width() / text_width("1023 KiB ", Face::mono, 1);
                picture_.words({column.x1, middle + 0.35f * em_}, "{}",
                               {.ink = moves ? Ink::warning : Ink::ink,
                                .size = std::min(0.8f * em_, fitting),
                                .face = Face::mono,
                                .align = Align::right},
                               {entry.fact(lane, step)});
            }
        }
        legend(legend_row);
    }

    // One square per slot, in the order of memory; a step under way moves what it copies and writes.
    void memory(Rect row, const Lane& lane, std::size_t at)
    {
        const Slots slots = slots_of(lane, at);
        const float each = row.width() / static_cast<float>(std::max<Index>(1, most_slots_));
        const float side = std::min(row.height() * 0.62f, std::min(1.8f * each, 2.2f * em_)); // of the tall side
        const float top = row.centre().y - side / 2, gap = std::min(2.0f, each * 0.15f);
        const float arrived = static_cast<float>(now_.progress), lift = (1 - arrived) * side * 0.7f;
        for (std::size_t s = 0; s < slots.position.size(); ++s) {
            const auto slot = static_cast<Index>(s);
            Rect cell{row.x0 + each * static_cast<float>(s), top, row.x0 + each * static_cast<float>(s + 1) - gap,
                      top + side};
            const Index position = slots.position[s];
            const bool is_written = slots.written.contains(slot), is_copied = slots.copied.contains(slot),
                       overwrote = slots.evicted.contains(slot);
            if (position < 0) {
                picture_.hatch(cell, Ink::faint);
                picture_.frame(cell, Ink::rule);
                if (overwrote) picture_.cross(cell.inset(side * 0.2f), Ink::warning, 1.5f);
                continue;
            }
            if (is_written || is_copied) cell = {cell.x0, cell.y0 - lift, cell.x1, cell.y1 - lift};
            Mark& fill = picture_.fill(cell, is_written ? Ink::v : is_copied ? Ink::q : Ink::k, 2);
            fill.cell = {Part::slot, lane_number(lane), 0, static_cast<std::int32_t>(slot),
                         static_cast<std::int32_t>(position)};
            if (is_written) picture_.frame(cell, overwrote ? Ink::warning : Ink::ink, 2, 2);
            const float size = std::min(0.7f * em_, cell.width() * 0.62f);
            if (size >= 6.5f) {
                const Rect box =
                    picture_.words({cell.centre().x, cell.centre().y + 0.36f * size}, "{}",
                                   {.ink = Ink::on_area, .size = size, .face = Face::mono, .align = Align::centre},
                                   {{.what = "position in slot " + std::to_string(slot) + ", " + lane.name,
                                     .number = static_cast<double>(position),
                                     .unit = Unit::index}});
                (void)box;
            }
        }
    }

    std::int32_t lane_number(const Lane& lane) const
    {
        return static_cast<std::int32_t>(&lane - recording_.lanes.data());
    }

    void legend(Rect at)
    {
        float x = at.x0;
        const float y = at.y1 - 0.5f * em_, box = 0.95f * em_;
        const auto entry = [&](Words name, auto paint) {
            const Rect square{x, y - 0.75f * em_, x + box, y - 0.75f * em_ + box};
            paint(square);
            const Rect label = picture_.words({x + 1.4f * em_, y}, words(name, view_.language),
                                              {.ink = Ink::muted, .size = 0.8f * em_});
            x = label.x1 + 1.6f * em_;
        };
        entry(Words::kept, [&](Rect r) { picture_.fill(r, Ink::k, 2); });
        entry(Words::written_now, [&](Rect r) {
            picture_.fill(r, Ink::v, 2);
            picture_.frame(r, Ink::ink, 2, 2);
        });
        entry(Words::copied_now, [&](Rect r) { picture_.fill(r, Ink::q, 2); });
        entry(Words::reserved_unused, [&](Rect r) {
            picture_.hatch(r, Ink::faint);
            picture_.frame(r, Ink::rule);
        });
        entry(Words::forgotten, [&](Rect r) {
            picture_.fill(r, Ink::v, 2);
            picture_.frame(r, Ink::warning, 2, 2);
        });
    }

    // Left: what each kind holds, step by step. Right: what each step copies.
    void charts(Rect at)
    {
        chart(
            at.column(0, 2, 0.8f * em_), Words::reserved_over_steps,
            [](const RecordedStep& s) { return static_cast<double>(s.counters.reserved); }, true);
        chart(
            at.column(1, 2, 0.8f * em_), Words::copied_over_steps,
            [](const RecordedStep& s) { return static_cast<double>(s.counters.copied); }, false);
    }

    template <class Number> void chart(Rect at, Words title, Number number, bool with_legend)
    {
        Rect room = panel(picture_, at, em_);
        picture_.words({room.x0, room.y0 + 0.8f * em_}, words(title, view_.language), page_.small);
        room.cut_top(1.6f * em_);
        Rect names = with_legend ? room.cut_right(9.5f * em_) : Rect{};
        const Rect axis = room.cut_left(4.6f * em_);
        double most = 1;
        std::size_t steps = 2;
        for (const Lane& lane : recording_.lanes) {
            steps = std::max(steps, lane.steps.size());
            for (const RecordedStep& step : lane.steps) most = std::max(most, number(step));
        }
        for (const double part : {0.0, 0.5, 1.0}) {
            const float y = room.y1 - static_cast<float>(part) * room.height();
            picture_.line({room.x0, y}, {room.x1, y}, Ink::rule, 1);
            picture_.words({axis.x1 - 0.5f * em_, y + 0.3f * em_}, "{}",
                           {.ink = Ink::muted, .size = 0.8f * em_, .align = Align::right},
                           {{.what = "axis", .number = part * most, .unit = Unit::bytes}});
        }
        const auto x_of = [&](std::size_t s) {
            return room.x0 + room.width() * static_cast<float>(s) / static_cast<float>(steps - 1);
        };
        const auto y_of = [&](double bytes) { return room.y1 - room.height() * static_cast<float>(bytes / most); };
        for (std::size_t i = 0; i < recording_.lanes.size(); ++i) {
            const Lane& lane = recording_.lanes[i];
            const Ink ink = lane_inks[i % lane_inks.size()];
            for (std::size_t s = 1; s < lane.steps.size(); ++s) {
                Mark& line = picture_.line({x_of(s - 1), y_of(number(lane.steps[s - 1]))},
                                           {x_of(s), y_of(number(lane.steps[s]))}, ink, 2);
                line.opacity = s <= now_.step ? 1.0f : 0.25f;
                line.dash = lane_dashes[i % lane_dashes.size()];
            }
            if (with_legend) {
                const float y = names.y0 + (static_cast<float>(i) + 0.5f) * 1.25f * em_;
                picture_.line({names.x0 + em_, y - 0.3f * em_}, {names.x0 + 2.6f * em_, y - 0.3f * em_}, ink, 2.5f)
                    .dash = lane_dashes[i % lane_dashes.size()];
                picture_.words({names.x0 + 3 * em_, y},
                               shorten(lane.name, Face::sans, 0.8f * em_, names.width() - 3 * em_),
                               {.size = 0.8f * em_});
            }
        }
        const float x = x_of(std::min(now_.step, steps - 1));
        picture_.line({x, room.y0}, {x, room.y1}, Ink::faint, 1);
    }

    void commentary()
    {
        Rect room = panel(picture_, page_.commentary, em_);
        picture_.words({room.x0, room.y0 + 0.9f * em_}, words(Words::what_happens, view_.language), page_.heading);
        room.cut_top(2 * em_);
        for (const auto& [kind, text] :
             {std::pair{"concat", Words::concat_text}, std::pair{"growing", Words::growing_text},
              std::pair{"paged", Words::paged_text}, std::pair{"ring", Words::ring_text}}) {
            const auto lane = std::ranges::find(recording_.lanes, std::string(kind), &Lane::cache);
            if (lane == recording_.lanes.end() || lane->steps.empty()) continue;
            const KvCounters& counters = lane->steps[step_index(*lane)].counters;
            const bool says_copied = text == Words::concat_text || text == Words::growing_text;
            room.y0 = paragraph(picture_, room, words(text, view_.language), {.size = 0.92f * em_},
                                {says_copied ? bytes("copied bytes, " + lane->name, counters.copied)
                                             : bytes("reserved bytes, " + lane->name, counters.reserved)});
            room.cut_top(0.45f * em_);
        }
    }

    void moved_until_now()
    {
        Rect room = panel(picture_, page_.inspector, em_);
        picture_.words({room.x0, room.y0 + 0.9f * em_}, words(Words::moved_until_now, view_.language), page_.heading);
        room.cut_top(2 * em_);
        float y = room.y0 + 0.8f * em_;
        for (const Lane& lane : recording_.lanes) {
            Index moved = 0;
            for (std::size_t s = 0; s <= step_index(lane); ++s) moved += lane.steps[s].counters.copied;
            picture_.words({room.x0, y}, shorten(lane.name, Face::sans, em_, room.width() - 6 * em_), page_.text);
            picture_.words(
                {room.x1, y}, "{}",
                {.ink = moved > 0 ? Ink::warning : Ink::ink, .size = em_, .face = Face::mono, .align = Align::right},
                {bytes("bytes copied until now, " + lane.name, moved)});
            y += 1.6f * em_;
        }
    }

    Picture& picture_;
    const Recording& recording_;
    const View& view_;
    Page page_;
    float em_;
    Moment now_;
    Index most_slots_ = 1;
};

} // namespace

void layout_cache(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    CacheScene(picture, recording, view, at).draw();
}

} // namespace headroom
