#include "viewer/scenes/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace headroom {

#define SCENE(name) void layout_##name(Picture& picture, const Recording& recording, const View& view, Rect at);
#include "viewer/scenes/scenes.inc"
#undef SCENE

std::span<const Scene> scenes()
{
#define SCENE(name) Scene{#name, layout_##name},
    static constexpr std::array list{
#include "viewer/scenes/scenes.inc"
    };
#undef SCENE
    return list;
}

const Scene& scene(std::string_view name)
{
    const auto found = std::ranges::find(scenes(), name, &Scene::name);
    if (found != scenes().end()) return *found;
    std::string known;
    for (const Scene& each : scenes()) known += (known.empty() ? "" : ", ") + std::string(each.name);
    throw std::invalid_argument("no scene is called '" + std::string(name) + "'; there are " + known);
}

Moment moment(const Recording& recording, const View& view)
{
    std::size_t steps = 0;
    for (const Lane& lane : recording.lanes) steps = std::max(steps, lane.steps.size());
    if (steps == 0) return {};
    const double last = static_cast<double>(steps - 1), time = std::clamp(view.time, 0.0, last);
    const double whole = std::floor(time), fraction = time - whole;
    return fraction == 0 ? Moment{static_cast<std::size_t>(whole), 1}
                         : Moment{static_cast<std::size_t>(whole) + 1, fraction};
}

Picture draw(const Scene& scene, const Recording& recording, const View& view, Rect size)
{
    Picture picture;
    picture.size = size;
    scene.layout(picture, recording, view, size);
    return picture;
}

} // namespace headroom
