// Cache: the same token through every kind of cache; where it goes, what moves for it, what is held.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/cache_memory.h"
#include "viewer/scenes/cache_page.h"
#include <algorithm>
#include <array>

namespace headroom {

std::size_t steps_of_cache(const Recording& recording, const View& view);

namespace {

const std::vector<Lane>& lanes_of(const Recording& recording)
{
    return recording.caches.empty() ? recording.lanes : recording.caches;
}

void commentary(const CachePicture& on)
{
    const float em = on.page.em;
    Rect room = words_panel(on.picture, on.page, words(Words::what_happens, on.view.language), "04_storing_the_cache");
    struct Sentence {
        std::string_view kind;
        Words text;
        bool of_copied;
    };
    static constexpr std::array sentences{
        Sentence{"concat", Words::concat_text, true}, Sentence{"growing", Words::growing_text, true},
        Sentence{"paged", Words::paged_text, false}, Sentence{"ring", Words::ring_text, false}};
    for (const auto& [kind, text, of_copied] : sentences) {
        const auto lane = std::ranges::find(on.lanes, kind, &Lane::cache);
        if (lane == on.lanes.end() || lane->steps.empty()) continue;
        const KvCounters& counters = lane->steps[on.step_of(*lane)].counters;
        const Fact fact = of_copied
                              ? bytes_of("copied bytes, " + lane->name, counters.copied, Fact::Origin::measured)
                              : bytes_of("reserved bytes, " + lane->name, counters.reserved, Fact::Origin::measured);
        room.y0 = paragraph(on.picture, room, words(text, on.view.language), {.size = 0.92f * em}, {fact}) + 0.45f * em;
    }
}

void slot_pointed_at(const CachePicture& on, Rect room)
{
    const Cell c = on.view.chosen();
    if (c.part != Part::slot) return;
    const Lane& lane = on.lanes[static_cast<std::size_t>(c.lane)];
    const TextStyle style{.size = 0.92f * on.page.em};
    room.y0 = quotation(on.picture, room, lane.name, style);
    paragraph(on.picture, room, words(Words::slot_holds, on.view.language), style,
              {index_fact("slot", c.row), index_fact("position in it", c.column)});
}

void moved_until_now(const CachePicture& on)
{
    const float em = on.page.em;
    const Rect room = panel(on.picture, on.page.inspector, on.page, words(Words::moved_until_now, on.view.language));
    float y = room.y0 + 0.8f * em;
    for (const Lane& lane : on.lanes) {
        if (lane.steps.empty()) continue;
        Index moved = 0;
        for (std::size_t s = 0; s <= on.step_of(lane); ++s) moved += lane.steps[s].counters.copied;
        on.picture.words({room.x0, y}, shorten(lane.name, Face::sans, em, room.width() - 6 * em), on.page.text);
        on.picture.words(
            {room.x1, y}, "{}",
            {.ink = moved > 0 ? Ink::warning : Ink::ink, .size = em, .face = Face::mono, .align = Align::right},
            {bytes_of("bytes copied until now, " + lane.name, moved, Fact::Origin::measured)});
        y += 1.6f * em;
    }
    slot_pointed_at(on, {room.x0, y, room.x1, room.y1});
}

} // namespace

void layout_cache(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    const std::size_t steps = steps_of_cache(recording, view);
    const Page page = headroom::page(picture, recording, view, Words::cache_title, steps, at);
    const CachePicture on{picture, lanes_of(recording), view, page, steps, moment(steps, view)};
    Rect body = page.body;
    const Rect charts = body.cut_bottom(std::min(12 * page.em, body.height() * 0.27f));
    body.cut_bottom(0.8f * page.em);
    draw_cache_lanes(on, body);
    draw_cache_charts(on, charts);
    commentary(on);
    moved_until_now(on);
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
