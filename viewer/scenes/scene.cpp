#include "viewer/scenes/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace headroom {

// A scene is one line of scenes.inc and, in its folder, five functions that bear its name.
#define SCENE(name)                                                                                                    \
    void layout_##name(Picture& picture, const Recording& recording, const View& view, Rect at);                       \
    std::size_t steps_of_##name(const Recording& recording, const View& view);                                         \
    std::vector<Control> controls_of_##name(const Recording& recording);                                               \
    std::span<const Phase> phases_of_##name();                                                                         \
    bool name##_has(const Recording& recording, const View& view, const Cell& cell);
#include "viewer/scenes/scenes.inc"
#undef SCENE

std::span<const Scene> scenes()
{
#define SCENE(name)                                                                                                    \
    Scene{#name, Words::name##_title, layout_##name, steps_of_##name, controls_of_##name, phases_of_##name, name##_has},
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

Moment moment(std::size_t steps, const View& view)
{
    if (steps == 0) return {};
    const double last = static_cast<double>(steps - 1), time = std::clamp(view.time, 0.0, last);
    const double whole = std::floor(time), fraction = time - whole;
    return fraction == 0 ? Moment{static_cast<std::size_t>(whole), 1}
                         : Moment{static_cast<std::size_t>(whole) + 1, fraction};
}

Picture draw(const Scene& scene, const Recording& recording, const View& view, Rect size)
{
    View seen = view;
    for (Cell* cell : {&seen.hover, &seen.pinned})
        if (cell->part != Part::none && !scene.has(recording, seen, *cell)) *cell = {};
    Picture picture;
    picture.size = size;
    scene.layout(picture, recording, seen, size);
    return picture;
}

} // namespace headroom
