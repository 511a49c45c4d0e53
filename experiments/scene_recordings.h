// What each scene shows where nobody has opened a file: a run made for it, with what the reader chose in its controls.
#pragma once
#include "reference/recording/recording.h"
#include <map>
#include <string_view>

namespace headroom {

// By the keys of the scene's controls that make the run again ("q_heads", "seed", "block"); the others do not matter here.
using RunSettings = std::map<std::string, double, std::less<>>;

// "case NAME": the problem of a check, for Decode; its setting "sequence" chooses one of the batch.
constexpr std::string_view case_prefix = "case ";

// Throws std::invalid_argument if the scene is unknown or the settings make no sense together.
Recording scene_recording(std::string_view scene, const RunSettings& settings);

// The same for all scenes, in one recording.
Recording every_scene(const RunSettings& settings);

} // namespace headroom
