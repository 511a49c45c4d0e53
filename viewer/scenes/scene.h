// A scene is a pure function from a recording and a moment to a picture. It computes no attention: every number comes
// from the recording.
#pragma once
#include "reference/recording/recording.h"
#include "viewer/picture/picture.h"
#include <span>
#include <string_view>

namespace headroom {

enum class Language : std::uint8_t { en, zh };

// What the reader chose. Time counts steps: at n step n is complete and rests; at n + f step n + 1 is under way.
struct View {
    double time = 0;
    Cell hover, pinned;
    float text_size = 15;
    bool logarithmic = true;
    Language language = Language::en;

    Cell chosen() const { return pinned.part != Part::none ? pinned : hover; }
};

struct Moment {           // what `time` means for a recording of so many steps
    std::size_t step = 0; // the step that is shown
    double progress = 1;  // 1: complete
};
Moment moment(const Recording& recording, const View& view);

struct Scene {
    std::string_view name;
    void (*layout)(Picture& picture, const Recording& recording, const View& view, Rect at);
};
std::span<const Scene> scenes();           // the lines of scenes.inc
const Scene& scene(std::string_view name); // throws std::invalid_argument

Picture draw(const Scene& scene, const Recording& recording, const View& view, Rect size);

} // namespace headroom
