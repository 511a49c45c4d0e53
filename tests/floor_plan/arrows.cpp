// Reads the arrows of a tree: every #include, and every library that a folder's CMakeLists.txt links.
#include "tests/floor_plan/plan.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

namespace headroom {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path)
{
    static const std::array<std::string_view, 6> kinds{".cpp", ".h", ".cu", ".cuh", ".inc", ".hpp"};
    return std::ranges::find(kinds, path.extension().string()) != kinds.end();
}

// The files of the tree without what is built and what begins with a dot.
std::vector<fs::path> files(const fs::path& root)
{
    std::vector<fs::path> found;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
        const std::string name = at->path().filename().string();
        if (at->is_directory() && (name.starts_with('.') || (at.depth() == 0 && (name == "build" || name == "tour"))))
            at.disable_recursion_pending();
        else if (at->is_regular_file())
            found.push_back(at->path().lexically_relative(root));
    }
    std::ranges::sort(found);
    return found;
}

std::string text_of(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void add_includes(const std::string& from, const std::string& text, std::vector<Arrow>& arrows)
{
    static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">])re");
    for (auto m = std::sregex_iterator(text.begin(), text.end(), include); m != std::sregex_iterator(); ++m)
        arrows.push_back({from, "#include " + (*m)[1].str() + (*m)[2].str() + ((*m)[1] == "<" ? ">" : "\""), (*m)[2]});
}

} // namespace

std::vector<Arrow> arrows(const fs::path& root)
{
    std::vector<Arrow> found;
    std::map<std::string, std::string> folder_of; // library -> folder, or the one file of it that others see
    const std::map<std::string, std::string> face{
        {"step", "cuda/step.h"}, {"cuda", "cuda/attention.h"}, {"cuda_traced", "cuda/tracing.h"}};
    static const std::regex library(R"(headroom_(?:library|kernels)\(\s*(\w+)([^)]*)\))"),
        links(R"(\bLINKS\s+([\w\s]+))");
    std::vector<std::pair<std::string, std::string>> wanted; // folder -> library
    for (const fs::path& path : files(root)) {
        if (is_source(path)) add_includes(path.generic_string(), text_of(root / path), found);
        if (path.filename() != "CMakeLists.txt") continue;
        const std::string text = text_of(root / path), folder = path.parent_path().generic_string();
        for (auto m = std::sregex_iterator(text.begin(), text.end(), library); m != std::sregex_iterator(); ++m) {
            folder_of[(*m)[1]] = face.contains((*m)[1]) ? face.at((*m)[1]) : folder;
            if (text.find("TRACED") != text.npos) folder_of[(*m)[1].str() + "_traced"] = folder; // cmake/kernels.cmake
            const std::string arguments = (*m)[2];
            std::smatch list;
            if (!std::regex_search(arguments, list, links)) continue;
            static const std::regex word(R"(\w+)");
            const std::string names = list[1];
            for (auto w = std::sregex_iterator(names.begin(), names.end(), word); w != std::sregex_iterator(); ++w) {
                if (w->str() == "PRIVATE_LINKS" || w->str() == "SOURCES") break;
                wanted.emplace_back(folder, w->str());
            }
        }
    }
    for (const auto& [folder, name] : wanted)
        found.push_back({folder, "LINKS " + name, folder_of.contains(name) ? folder_of[name] : name});
    return found;
}

} // namespace headroom
