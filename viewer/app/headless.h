// What the window can show, into files: a film of a scene, the guided walk page by page. Needs no display.
#pragma once
#include "viewer/app/state.h"
#include "viewer/export/video.h"

namespace headroom {

// A scene from its first step to its last, as the window plays it, with a rest at the end.
Film film_of(const Scene& scene, const Recording& recording, const View& view, Rect size, double speed);

// Each stop as SVG and PNG, 01-decode.svg …, and walk.txt with its words. Returns the number of stops.
std::size_t export_walk(const std::filesystem::path& folder, const MakeRecording& make, const Preferences& preferences,
                        float zoom);

std::string without_markup(std::string_view words); // "[k|keys]" -> "keys"

} // namespace headroom
