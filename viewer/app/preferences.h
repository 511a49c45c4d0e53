// What the reader chose once and finds again next time: theme, language, sizes.
#pragma once
#include "viewer/scenes/words.h"
#include <filesystem>

namespace headroom {

struct Preferences {
    bool dark = false;
    Language language = Language::en;
    double text_scale = 1, speed = 1; // of the text; steps per second
    bool logarithmic = true, reduced_motion = false;
    int width = 1600, height = 900; // of the window
    bool operator==(const Preferences&) const = default;
};

// $XDG_CONFIG_HOME/headroom/viewer.json, else ~/.config/…; empty: there is no home.
std::filesystem::path preferences_path();

// What a file lacks, or what is not possible in it, stands as it began. A missing file: the system's language, and its
// wish for less motion.
Preferences remembered(const std::filesystem::path& path);
void remember(const Preferences& preferences, const std::filesystem::path& path); // a failure is not worth a word

} // namespace headroom
