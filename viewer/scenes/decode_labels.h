// The line over a tensor of a Decode panel: its name and its shape with named axes, shorter where there is less room.
#pragma once
#include "viewer/picture/picture.h"
#include "viewer/scenes/words.h"

namespace headroom {

struct Axis {
    std::string_view name; // "Hkv"
    std::int64_t extent;
};
struct TensorLabel {
    Rect at;
    Words name;
    std::string_view letter;
    Ink ink;
    std::vector<Axis> axes;
};
// All of them in the same form. `lane`: in the facts' names.
void draw_labels(Picture& picture, const std::vector<TensorLabel>& labels, const std::string& lane, Language language,
                 float em);

} // namespace headroom
