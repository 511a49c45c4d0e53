#include "viewer/app/screen.h"

#include "viewer/app/bars.h"
#include <algorithm>
#include <cstdlib>
#include <utility>

namespace headroom {
namespace {

void append(Picture& all, const Picture& more)
{
    const int texts = static_cast<int>(all.texts.size()), facts = static_cast<int>(all.facts.size()),
              heatmaps = static_cast<int>(all.heatmaps.size());
    for (Mark mark : more.marks) {
        if (mark.text >= 0) mark.text += texts;
        if (mark.heatmap >= 0) mark.heatmap += heatmaps;
        all.marks.push_back(mark);
    }
    for (Text text : more.texts) {
        for (int& fact : text.facts) fact += facts;
        all.texts.push_back(std::move(text));
    }
    all.facts.insert(all.facts.end(), more.facts.begin(), more.facts.end());
    all.heatmaps.insert(all.heatmaps.end(), more.heatmaps.begin(), more.heatmaps.end());
}

// The scene fills what the bars leave; a cell that is not there any more is let go.
void scene_within(Picture& picture, const State& state, Rect room)
{
    View view = state.view();
    for (Cell* cell : {&view.hover, &view.pinned})
        if (cell->part != Part::none && !state.shown().has(*state.desk().recording, view, *cell)) *cell = {};
    state.shown().layout(picture, *state.desk().recording, view, room);
}

// What words of a scene lead to: "tutorials/09_first_kernel/README.md" a chapter, "#decode" a check's problem.
Request request_of(const std::string& link)
{
    if (link.starts_with('#')) return {Act::open_case};
    return {Act::chapter, static_cast<double>(std::atoi(link.c_str() + link.find('/') + 1))};
}

void links(const Picture& picture, std::vector<Spot>& spots)
{
    for (const Mark& mark : picture.marks) {
        if (mark.kind != Mark::Kind::text) continue;
        const std::string& link = picture.texts[static_cast<std::size_t>(mark.text)].link;
        if (!link.empty()) spots.push_back({mark.at, request_of(link)});
    }
}

} // namespace

const Spot* Screen::spot_at(Point at) const
{
    const auto found =
        std::find_if(spots.rbegin(), spots.rend(), [&](const Spot& spot) { return spot.at.contains(at); });
    return found == spots.rend() ? nullptr : &*found;
}

Screen lay_out(const State& state)
{
    Screen screen;
    screen.scene.size = screen.bars.size = screen.overlay.size = state.size;
    Rect room = state.size;
    BarPainter bars(screen.bars, screen.spots, state);
    top_bar(bars, room);
    controls_bar(bars, room);
    timeline(bars, room, screen.track);
    if (state.stop) walk_bar(bars, room);
    if (state.desk().recording) scene_within(screen.scene, state, room);
    links(screen.scene, screen.spots);

    BarPainter over(screen.overlay, screen.spots, state);
    if (!state.message.empty()) message_over(over, room);
    if (state.help) {
        screen.spots.clear();
        screen.covered = true;
        help_over(over, state.size);
    }
    return screen;
}

Picture joined(const Screen& screen)
{
    Picture all;
    all.size = screen.bars.size;
    for (const Picture* part : {&screen.scene, &screen.bars, &screen.overlay}) append(all, *part);
    return all;
}

} // namespace headroom
