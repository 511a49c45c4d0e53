#include "viewer/app/app.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace headroom {

App::App(MakeRecording make, const Preferences& preferences) : state_(std::move(make))
{
    state_.preferences = preferences;
    show(state_, 0);
}

void App::tick(double now)
{
    state_.now = now;
    if (!state_.playing) return;
    const double before = state_.desk().time;
    state_.desk().time = time_of(state_.playback());
    if (state_.desk().time >= state_.last()) state_.playing = false;
    if (state_.desk().time != before || !state_.playing) alter();
}

double App::seconds_until_change() const
{
    if (!state_.playing) return std::numeric_limits<double>::infinity();
    return seconds_until_motion(state_.playback());
}

void App::resize(float width, float height, float least_text)
{
    const Rect size{0, 0, width, height};
    if (size == state_.size && least_text == state_.least_text) return;
    state_.size = size;
    state_.least_text = least_text;
    state_.preferences.width = static_cast<int>(width);
    state_.preferences.height = static_cast<int>(height);
    alter();
}

// Only what looks different is drawn again: another cell, or another button under the pointer.
void App::point(Point at)
{
    state_.pointer = at;
    if (dragging_) return drag(at);
    const Screen& shown = current();
    const Spot* spot = shown.spot_at(at);
    const int hovered = spot ? static_cast<int>(spot - shown.spots.data()) : -1;
    Cell cell;
    if (!spot && !shown.covered) cell = shown.scene.hit(at);
    if (!spot && !shown.covered && cell.part == Part::none) cell = shown.bars.hit(at); // words of the walk
    if (hovered == hovered_ && cell == state_.hover) return;
    hovered_ = hovered;
    state_.hover = cell;
    alter();
}

void App::press(Point at)
{
    point(at);
    const Spot* spot = current().spot_at(at);
    if (spot && spot->drags) {
        dragging_ = true;
        drag(at);
    } else if (spot) {
        ask(Request(spot->request));
    } else {
        Cell& pinned = state_.desk().pinned;
        pinned = pinned == state_.hover ? Cell{} : state_.hover;
        alter();
    }
}

void App::release() { dragging_ = false; }

// Near a whole step the timeline catches it.
void App::drag(Point at)
{
    const Rect track = current().track;
    const double part = std::clamp((at.x - track.x0) / std::max(1.0f, track.width()), 0.0f, 1.0f);
    const double time = part * state_.last(), whole = std::round(time);
    const double pixels = std::fabs(time - whole) / std::max(1.0, state_.last()) * static_cast<double>(track.width());
    state_.playing = false;
    ask({Act::seek, pixels < 5 ? whole : time});
}

void App::press(const Key& key)
{
    if (const std::optional<Request> request = request_of(key)) ask(*request);
}

void App::ask(const Request& request)
{
    act(state_, request);
    alter();
    if (!dragging_) point(state_.pointer); // something else may lie under it now
}

void App::open(const std::filesystem::path& file)
{
    open_file(state_, file);
    alter();
}

void App::open(std::shared_ptr<const Recording> recording, std::string name)
{
    open_recording(state_, std::move(recording), std::move(name));
    alter();
}

const Screen& App::screen()
{
    changed_ = false;
    return current();
}

const Screen& App::current()
{
    if (stale_) screen_ = lay_out(state_);
    stale_ = false;
    return screen_;
}

std::string App::title() const
{
    std::string title = fmt::format("Headroom · {}", words(state_.shown().title, Language::en));
    if (state_.last() > 0) title += fmt::format(" · step {:.4g} of {:g}", state_.desk().time, state_.last());
    if (state_.playing) title += " · playing";
    const Cell& cell = state_.desk().pinned.part != Part::none ? state_.desk().pinned : state_.hover;
    if (names_tensor(cell))
        title += fmt::format(" · {}", part_name(cell.part));
    else if (cell.part != Part::none)
        title += fmt::format(" · {},{},{},{},{}", part_name(cell.part), cell.lane, cell.head, cell.row, cell.column);
    if (state_.help) title += " · help";
    if (state_.stop) title += fmt::format(" · stop {}", *state_.stop + 1);
    return title;
}

} // namespace headroom
