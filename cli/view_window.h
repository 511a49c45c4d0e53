// headroom view without --export: the window, the guided walk, and what the window can write without a display.
#pragma once
#include "viewer/export/video.h"
#include "viewer/scenes/scene.h"
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headroom {

struct WindowChoices {
    std::shared_ptr<const Recording> recording = {}; // the opened file's; null: the scenes' own runs
    std::string file_name = {}, scene = {};          // scene: empty: the first
    double step = -1;                                // negative: the last
    bool walk = false;
    std::optional<bool> dark = {}; // what is not said here is as the reader left it last time
    std::optional<Language> language = {};
    std::optional<std::pair<int, int>> size = {};
    std::map<std::string, double, std::less<>> settings = {}; // of the scene's controls
    int time_frames = 0;                                      // > 0: draw so many, print how long they took, and quit
};

bool has_window(); // built, and there is a display
// Throws std::invalid_argument, in one line that names the ways without a window, if there cannot be one.
int open_window(const WindowChoices& choices);

// The window as it would open, as a picture: the scene with the bars around it, the pointer on a cell.
Picture window_picture(const WindowChoices& choices, const Cell& hover);

void write_walk(const std::filesystem::path& folder, const WindowChoices& choices, float zoom);
void write_scene_film(const std::filesystem::path& path, const Scene& scene, const Recording& recording,
                      const View& view, Rect size, const Theme& theme, float zoom, double speed);

} // namespace headroom
