// What the reader may change in a scene while looking at it, as data: the window draws it, `view --set` names it, the
// layout reads it from the view.
#pragma once
#include "viewer/scenes/words.h"
#include <map>
#include <string>
#include <vector>

namespace headroom {

struct Control {
    enum class Kind : std::uint8_t { choice, number, toggle };
    std::string_view key; // "kv_dtype"
    Words label;
    Kind kind = Kind::choice;
    std::vector<std::string> choices = {}; // of a choice: its setting is the index of one
    double least = 0, most = 1;            // of a number, which is whole
    bool doubles = false;                  // a number that goes up by doubling
    double initial = 0;
    // true: the run is repeated with it (experiments/scene_recordings.h); false: the layout reads it
    bool remakes = false;
    // A choice of the scene that must stand at its first for this to matter; empty: none.
    std::string_view only_with = {};
};
using Settings = std::map<std::string, double, std::less<>>; // by the controls' keys; what is absent stands as it began

double setting(const Settings& settings, const Control& control); // within the control's limits
bool matters(const Control& control, const std::vector<Control>& all, const Settings& settings);
void set(Settings& settings, const Control& control,
         std::string_view value); // "bf16", "8", "on"; throws invalid_argument

} // namespace headroom
