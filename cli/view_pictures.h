// What headroom view writes: a picture of a moment, or pictures of all scenes.
#pragma once
#include "viewer/picture/theme.h"
#include "viewer/scenes/scene.h"
#include <filesystem>

namespace headroom {

double usual_time(std::string_view scene); // the last step; of Memory 8,192 tokens
float text_size_for(Rect size);

// By the name's ending, .svg or .png; throws std::invalid_argument for others.
void write_picture(const Picture& picture, const Theme& theme, const std::filesystem::path& path, float zoom);

// Every scene, and of some a second moment, in both languages and both themes, as SVG and PNG. Without a recording: of
// the runs that the scenes make themselves.
void write_all_pictures(const std::filesystem::path& folder, const Recording* recording, Rect size, float zoom);

} // namespace headroom
