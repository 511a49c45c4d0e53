// A scene is a pure function from a recording and a moment to a picture. It computes no attention: every number comes
// from the recording, or is planning's arithmetic on it.
#pragma once
#include "reference/recording/recording.h"
#include "viewer/picture/picture.h"
#include "viewer/scenes/controls.h"
#include <memory>
#include <span>
#include <string_view>

namespace headroom {

struct Overview; // viewer/scenes/magnitudes.h

// What the reader chose. Time counts steps: at n step n is complete and rests; at n + f step n + 1 is under way.
struct View {
    double time = 0;
    Cell hover, pinned;
    float text_size = 15;
    bool logarithmic = true;
    Language language = Language::en;
    Settings settings = {};                        // of the scenes' controls
    std::shared_ptr<const Overview> overview = {}; // of the recording, from overview(); who draws often keeps one here

    Cell chosen() const { return pinned.part != Part::none ? pinned : hover; }
};

struct Moment {           // what `time` means where there are so many steps
    std::size_t step = 0; // the step that is shown
    double progress = 1;  // 1: complete
};
Moment moment(std::size_t steps, const View& view);

struct Phase { // a part of a step; the first begins at progress 0
    Words name;
    double until;
};

struct Scene {
    std::string_view name;
    Words title;
    void (*layout)(Picture& picture, const Recording& recording, const View& view, Rect at);
    std::size_t (*steps)(const Recording& recording, const View& view); // of its timeline; 0: it has nothing to show
    std::vector<Control> (*controls)(const Recording& recording);
    std::span<const Phase> (*phases)();
    bool (*has)(const Recording& recording, const View& view, const Cell& cell); // the shown step has such a cell
};
std::span<const Scene> scenes();           // the lines of scenes.inc
const Scene& scene(std::string_view name); // throws std::invalid_argument

// Before drawing, a hovered or pinned cell that the recording does not have is let go.
Picture draw(const Scene& scene, const Recording& recording, const View& view, Rect size);

} // namespace headroom
