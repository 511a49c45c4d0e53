#include "viewer/scenes/page.h"

#include <algorithm>
#include <utility>

namespace headroom {

Rect panel(Picture& picture, Rect at, float em)
{
    picture.fill(at, Ink::panel, 0.5f * em);
    return at.inset(em, 0.8f * em);
}

Rect panel(Picture& picture, Rect at, const Page& page, std::string_view heading)
{
    Rect room = panel(picture, at, page.em);
    picture.words({room.x0, room.y0 + 0.9f * page.em}, shorten(heading, Face::bold, page.heading.size, room.width()),
                  page.heading);
    room.cut_top(2 * page.em);
    return room;
}

Rect words_panel(Picture& picture, const Page& page, std::string_view heading, std::string_view chapter)
{
    Rect room = panel(picture, page.commentary, page, heading);
    const Rect foot = room.cut_bottom(1.5f * page.em);
    const float size = 0.8f * page.em;
    picture.words({foot.x0, foot.y1 - text_descent * size},
                  shorten("→ tutorials/" + std::string(chapter), Face::mono, size, foot.width()),
                  {.ink = Ink::accent, .size = size, .face = Face::mono});
    picture.texts.back().link =
        "tutorials/" + std::string(chapter) + (page.language == Language::zh ? "/README.zh.md" : "/README.md");
    return room;
}

Fact index_fact(std::string what, Index number)
{
    return {.what = std::move(what), .number = static_cast<double>(number), .unit = Unit::index};
}
Fact count_of(std::string what, Index number)
{
    return {.what = std::move(what), .number = static_cast<double>(number), .unit = Unit::count};
}
Fact bytes_of(std::string what, Index number, Fact::Origin origin)
{
    return {.what = std::move(what), .number = static_cast<double>(number), .unit = Unit::bytes, .origin = origin};
}

namespace {

// The scene's name, the recording's, the step; below, how far it has come and the command that makes it.
void head_and_foot(Picture& picture, const Recording& recording, const View& view, Words title, std::size_t steps,
                   Rect& room)
{
    const float em = view.text_size;
    const Rect header = room.cut_top(2.1f * em), footer = room.cut_bottom(1.5f * em);

    const float base_line = header.y0 + 1.3f * em;
    const Rect name =
        picture.words({header.x0, base_line}, words(title, view.language), {.size = 1.5f * em, .face = Face::bold});
    const Moment now = moment(steps, view);
    if (steps > 0) {
        picture.words(
            {header.x1, base_line}, words(Words::step_of, view.language),
            {.ink = Ink::muted, .size = em, .align = Align::right},
            {index_fact("step", static_cast<Index>(now.step)), index_fact("last step", static_cast<Index>(steps - 1))});
    }
    const float title_room = header.width() - name.width() - 12 * em;
    picture.words({name.x1 + em, base_line},
                  shorten(translated(recording.title, view.language), Face::sans, em, title_room),
                  {.ink = Ink::muted, .size = em});

    const Rect track{footer.x0, footer.y0 + 0.45f * em, footer.x1, footer.y0 + 0.65f * em};
    picture.fill(track, Ink::rule, 0.1f * em);
    if (steps > 1) {
        const double shown = static_cast<double>(now.step) - (1 - now.progress);
        const float part = static_cast<float>(shown / static_cast<double>(steps - 1));
        picture.fill({track.x0, track.y0, track.x0 + part * track.width(), track.y1}, Ink::accent, 0.1f * em);
    }
    picture.words({footer.x0, footer.y1}, shorten(recording.command, Face::mono, 0.8f * em, footer.width()),
                  {.ink = Ink::faint, .size = 0.8f * em, .face = Face::mono});
}

} // namespace

Page page(Picture& picture, const Recording& recording, const View& view, Words title, std::size_t steps, Rect at)
{
    const float em = view.text_size;
    Page page{.body = {},
              .commentary = {},
              .inspector = {},
              .em = em,
              .text = {.size = em},
              .small = {.ink = Ink::muted, .size = 0.8f * em},
              .heading = {.size = 1.2f * em, .face = Face::bold},
              .language = view.language,
              .in_window = at != picture.size};
    Rect room = at.inset(em, 0.8f * em);
    if (!page.in_window) head_and_foot(picture, recording, view, title, steps, room);

    Rect side = room.cut_right(std::min(21 * em, 0.26f * room.width()));
    room.cut_right(0.8f * em);
    page.commentary = side.cut_top((page.in_window ? 0.54f : 0.46f) * side.height() - 0.4f * em);
    side.cut_top(0.8f * em);
    page.inspector = side;
    page.body = room;
    return page;
}

} // namespace headroom
