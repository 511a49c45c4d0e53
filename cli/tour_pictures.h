// What the tour leaves behind: each scene as SVG and PNG, and a short film where there is ffmpeg.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

struct LeftPictures {
    std::vector<std::string> files; // names in the folder
    bool film = false;
};
LeftPictures leave_pictures(const std::filesystem::path& folder);

} // namespace headroom
