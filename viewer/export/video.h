// A film of pictures: MP4 or GIF by ffmpeg, which reads the frames from a pipe; without ffmpeg a folder of PNGs.
#pragma once
#include "viewer/picture/theme.h"
#include <filesystem>
#include <functional>

namespace headroom {

struct Film {
    double seconds = 0, frames_per_second = 24;
    std::function<double(double seconds)> moment_at;  // frames of the same moment are painted once
    std::function<Picture(double moment)> picture_of; // all of one size
};

bool is_film(const std::filesystem::path& path); // ends in .mp4 or .gif
bool have_ffmpeg();

struct WrittenFilm {
    std::filesystem::path path; // the film, or the folder of PNGs
    int frames = 0;
    bool is_folder = false; // there is no ffmpeg
};
// Throws std::invalid_argument, with ffmpeg's own words, if it fails; leaves no half film behind.
WrittenFilm write_film(const Film& film, const Theme& theme, float zoom, const std::filesystem::path& path);

} // namespace headroom
