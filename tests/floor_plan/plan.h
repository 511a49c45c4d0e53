// The floor plan of the project: which folder may include what. A test holds every #include of the tree against it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct Arrow { // one #include, or one entry behind LINKS of a CMakeLists.txt
    std::string from, line, to;
};
std::vector<Arrow> arrows(const std::filesystem::path& root);                 // paths relative to root
std::string objection(const std::filesystem::path& root, const Arrow& arrow); // empty: the plan has this arrow
std::vector<std::string> objections(const std::filesystem::path& root);

} // namespace headroom
