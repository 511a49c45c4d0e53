// Cache: the same token through every kind of cache; where it goes, what moves for it, what is held.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/cache_memory.h"
#include "viewer/scenes/cache_table.h"
#include "viewer/scenes/chart.h"
#include <algorithm>
#include <array>

namespace headroom {

std::size_t steps_of_cache(const Recording& recording, const View& view);

namespace {

const std::vector<Lane>& lanes_of(const Recording& recording)
{
    return recording.caches.empty() ? recording.lanes : recording.caches;
}

class CacheScene {
public:
    CacheScene(Picture& picture, const Recording& recording, const View& view, Rect at)
        : picture_(picture), lanes_(lanes_of(recording)), view_(view), steps_(steps_of_cache(recording, view)),
          page_(page(picture, recording, view, Words::cache_title, steps_, at)), em_(page_.em),
          now_(moment(steps_, view))
    {
        for (const Lane& lane : lanes_)
            for (const RecordedStep& step : lane.steps) {
                most_slots_ = std::max(most_slots_, step.slots);
                most_bytes_ = std::max(most_bytes_, bytes_of_slot(step));
            }
    }

    void draw()
    {
        Rect body = page_.body;
        const Rect chart = body.cut_bottom(std::min(12 * em_, body.height() * 0.27f));
        body.cut_bottom(0.8f * em_);
        where_it_goes(panel(picture_, body, em_));
        charts(chart);
        commentary();
        moved_until_now();
    }

private:
    std::size_t step_index(const Lane& lane) const { return std::min(now_.step, lane.steps.size() - 1); }
    static double bytes_of_slot(const RecordedStep& step)
    {
        return step.slots > 0 ? static_cast<double>(step.counters.reserved) / static_cast<double>(step.slots) : 0;
    }

    void where_it_goes(Rect room)
    {
        Rect names = room.cut_left(0.16f * room.width()), table = room.cut_right(0.43f * room.width());
        room.cut_right(em_);
        const float head_line = room.y0 + 0.9f * em_;
        picture_.words(
            {names.x0, head_line},
            shorten(words(Words::where_does_it_go, view_.language), Face::bold, page_.heading.size, room.x1 - names.x0),
            page_.heading);
        const Rect legend_row = room.cut_bottom(2 * em_);
        draw_table_head(picture_, table, head_line, view_.language, em_);
        const Rect rows{room.x0, room.y0 + 1.5f * em_, room.x1, room.y1};
        const int n = static_cast<int>(lanes_.size());
        for (int i = 0; i < n; ++i) {
            const Lane& lane = lanes_[static_cast<std::size_t>(i)];
            if (lane.steps.empty()) continue;
            const RecordedStep& step = lane.steps[step_index(lane)];
            const Rect row = rows.row(i, n, 0.3f * em_);
            const float middle = row.centre().y, room_for_name = names.width() - 0.5f * em_;
            picture_.words({names.x0, middle}, shorten(lane.name, Face::sans, em_, room_for_name), page_.text);
            picture_.words({names.x0, middle + 1.1f * em_},
                           shorten(lane.detail, Face::sans, 0.75f * em_, room_for_name),
                           {.ink = Ink::muted, .size = 0.75f * em_});
            draw_slots(picture_, row,
                       {lane, i, step_index(lane), most_slots_, most_bytes_ > 0 ? bytes_of_slot(step) / most_bytes_ : 1,
                        now_.progress},
                       em_);
            draw_table_row(picture_, table, middle + 0.35f * em_, lane, step, em_);
        }
        legend(legend_row);
    }

    void legend(Rect at)
    {
        float x = at.x0 - 0.16f * page_.body.width();
        const float y = at.y1 - 0.5f * em_, box = 0.95f * em_;
        const auto entry = [&](Words name, auto paint) {
            const Rect square{x, y - 0.75f * em_, x + box, y - 0.75f * em_ + box};
            paint(square);
            const Rect label = picture_.words({x + 1.4f * em_, y}, words(name, view_.language),
                                              {.ink = Ink::muted, .size = 0.8f * em_});
            x = label.x1 + 1.6f * em_;
        };
        const auto boxed = [&](Ink inside, Ink edge) {
            return [&, inside, edge](Rect r) {
                picture_.fill(r, inside, 2);
                picture_.frame(r, edge, 2, 2);
            };
        };
        entry(Words::kept, [&](Rect r) { picture_.fill(r, Ink::k, 2); });
        entry(Words::written_now, boxed(Ink::v, Ink::ink));
        entry(Words::copied_now, [&](Rect r) { picture_.fill(r, Ink::q, 2); });
        entry(Words::reserved_unused, [&](Rect r) {
            picture_.hatch(r, Ink::faint);
            picture_.frame(r, Ink::rule);
        });
        entry(Words::forgotten, boxed(Ink::v, Ink::warning));
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
        picture_.words({room.x0, room.y0 + 0.8f * em_},
                       shorten(words(title, view_.language), Face::sans, page_.small.size, room.width()), page_.small);
        room.cut_top(1.6f * em_);
        Rect names = with_legend ? room.cut_right(9.5f * em_) : Rect{};
        names.cut_left(em_);
        room.cut_left(4.6f * em_);
        double most = 1;
        for (const Lane& lane : lanes_)
            for (const RecordedStep& step : lane.steps) most = std::max(most, number(step));
        const Scale x{.least = 0,
                      .most = static_cast<double>(std::max<std::size_t>(2, steps_) - 1),
                      .from = room.x0,
                      .to = room.x1},
            y{.least = 0, .most = most, .from = room.y1, .to = room.y0};
        rules_of_y(picture_, room, y, Unit::bytes, em_);
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            std::vector<Point> past, to_come;
            for (std::size_t s = 0; s < lanes_[i].steps.size(); ++s) {
                const Point point{x.at(static_cast<double>(s)), y.at(number(lanes_[i].steps[s]))};
                if (s <= now_.step) past.push_back(point);
                if (s >= now_.step) to_come.push_back(point);
            }
            curve_through(picture_, past, look_of(i), 2);
            curve_through(picture_, to_come, look_of(i), 2, 0.25f);
            if (with_legend) legend_line(picture_, names.cut_top(1.25f * em_), look_of(i), lanes_[i].name, 0.94f * em_);
        }
        const float now = x.at(static_cast<double>(now_.step));
        picture_.line({now, room.y0}, {now, room.y1}, Ink::faint, 1);
    }

    void commentary()
    {
        Rect room = panel(picture_, page_.commentary, page_, words(Words::what_happens, view_.language));
        struct Sentence {
            std::string_view kind;
            Words text;
            bool of_copied;
        };
        static constexpr std::array sentences{
            Sentence{"concat", Words::concat_text, true}, Sentence{"growing", Words::growing_text, true},
            Sentence{"paged", Words::paged_text, false}, Sentence{"ring", Words::ring_text, false}};
        for (const auto& [kind, text, of_copied] : sentences) {
            const auto lane = std::ranges::find(lanes_, kind, &Lane::cache);
            if (lane == lanes_.end() || lane->steps.empty()) continue;
            const KvCounters& counters = lane->steps[step_index(*lane)].counters;
            const Fact fact =
                of_copied ? bytes_of("copied bytes, " + lane->name, counters.copied, Fact::Origin::measured)
                          : bytes_of("reserved bytes, " + lane->name, counters.reserved, Fact::Origin::measured);
            room.y0 =
                paragraph(picture_, room, words(text, view_.language), {.size = 0.92f * em_}, {fact}) + 0.45f * em_;
        }
    }

    void moved_until_now()
    {
        Rect room = panel(picture_, page_.inspector, page_, words(Words::moved_until_now, view_.language));
        float y = room.y0 + 0.8f * em_;
        for (const Lane& lane : lanes_) {
            if (lane.steps.empty()) continue;
            Index moved = 0;
            for (std::size_t s = 0; s <= step_index(lane); ++s) moved += lane.steps[s].counters.copied;
            picture_.words({room.x0, y}, shorten(lane.name, Face::sans, em_, room.width() - 6 * em_), page_.text);
            picture_.words(
                {room.x1, y}, "{}",
                {.ink = moved > 0 ? Ink::warning : Ink::ink, .size = em_, .face = Face::mono, .align = Align::right},
                {bytes_of("bytes copied until now, " + lane.name, moved, Fact::Origin::measured)});
            y += 1.6f * em_;
        }
        slot_pointed_at({room.x0, y, room.x1, room.y1});
    }

    void slot_pointed_at(Rect room)
    {
        const Cell c = view_.chosen();
        if (c.part != Part::slot) return;
        const Lane& lane = lanes_[static_cast<std::size_t>(c.lane)];
        const auto index = [](const char* what, std::int32_t n) {
            return Fact{.what = what, .number = static_cast<double>(n), .unit = Unit::index};
        };
        paragraph(picture_, room, lane.name + ": " + std::string(words(Words::slot_holds, view_.language)),
                  {.size = 0.92f * em_}, {index("slot", c.row), index("position in it", c.column)});
    }

    Picture& picture_;
    const std::vector<Lane>& lanes_;
    const View& view_;
    std::size_t steps_;
    Page page_;
    float em_;
    Moment now_;
    Index most_slots_ = 1;
    double most_bytes_ = 0;
};

} // namespace

void layout_cache(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    CacheScene(picture, recording, view, at).draw();
}

std::size_t steps_of_cache(const Recording& recording, const View&)
{
    std::size_t steps = 0;
    for (const Lane& lane : lanes_of(recording)) steps = std::max(steps, lane.steps.size());
    return steps;
}

std::vector<Control> controls_of_cache(const Recording&)
{
    using enum Control::Kind;
    return {{.key = "block",
             .label = Words::block_rows,
             .kind = number,
             .least = 1,
             .most = 64,
             .doubles = true,
             .initial = 4,
             .remakes = true},
            {.key = "window",
             .label = Words::window_tokens,
             .kind = number,
             .least = 1,
             .most = 256,
             .initial = 12,
             .remakes = true},
            {.key = "sinks",
             .label = Words::first_tokens_kept,
             .kind = number,
             .least = 0,
             .most = 16,
             .initial = 2,
             .remakes = true},
            {.key = "initial",
             .label = Words::initial_capacity,
             .kind = number,
             .least = 1,
             .most = 512,
             .doubles = true,
             .initial = 4,
             .remakes = true},
            {.key = "growth",
             .label = Words::growth_percent,
             .kind = number,
             .least = 110,
             .most = 400,
             .initial = 150,
             .remakes = true},
            {.key = "tokens",
             .label = Words::tokens,
             .kind = number,
             .least = 2,
             .most = 256,
             .initial = 24,
             .remakes = true}};
}

std::span<const Phase> phases_of_cache()
{
    static constexpr std::array list{Phase{Words::phase_append, 1}};
    return list;
}

bool cache_has(const Recording& recording, const View& view, const Cell& cell)
{
    const std::vector<Lane>& lanes = lanes_of(recording);
    if (cell.part != Part::slot || cell.lane < 0 || cell.lane >= static_cast<std::int32_t>(lanes.size())) return false;
    const Lane& lane = lanes[static_cast<std::size_t>(cell.lane)];
    if (lane.steps.empty()) return false;
    const Moment now = moment(steps_of_cache(recording, view), view);
    const Slots slots = slots_of(lane, std::min(now.step, lane.steps.size() - 1));
    return cell.row >= 0 && cell.row < static_cast<std::int32_t>(slots.position.size()) &&
           slots.position[static_cast<std::size_t>(cell.row)] == cell.column && cell.column >= 0;
}

} // namespace headroom
