// The pictures as they were looked at: every text of each scene's SVG, and how many marks of each kind lie behind them.
// HEADROOM_UPDATE_GOLDEN=1 writes them again; look at the pictures before you commit that.
#include "reference/tensor/files.h"
#include "tests/support/catch.h"
#include "tests/viewer/random_recording.h"
#include "viewer/export/svg.h"
#include "viewer/scenes/scene.h"
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <sstream>

using namespace headroom;

namespace {

std::string essence(const std::string& svg)
{
    std::istringstream lines(svg);
    std::string kept;
    std::map<std::string, int> kinds;
    for (std::string line; std::getline(lines, line);) {
        ++kinds[line.substr(0, line.find_first_of(" >/", 1))];
        if (line.starts_with("<text")) kept += line + '\n';
    }
    for (const auto& [kind, n] : kinds) kept += fmt::format("{}> {} times\n", kind, n);
    return kept;
}

} // namespace

TEST_CASE("every scene's SVG says what it said when it was looked at")
{
    const Recording recording = random_recording(1);
    for (const Scene& each : scenes()) {
        const std::filesystem::path path =
            std::filesystem::path(HEADROOM_GOLDEN_FOLDER) / (std::string(each.name) + ".txt");
        const View view{.time = 4, .hover = {}, .pinned = {}};
        const std::string now = essence(svg(draw(each, recording, view, {0, 0, 1600, 900}), theme("light")));
        if (std::getenv("HEADROOM_UPDATE_GOLDEN")) {
            write_file(path, now);
            continue;
        }
        const std::vector<std::byte> bytes = read_file(path);
        std::istringstream want(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())), got(now);
        std::string a, b;
        for (int line = 1; std::getline(want, a); ++line) {
            std::getline(got, b);
            INFO(each.name << ", line " << line);
            REQUIRE(b == a);
        }
        CHECK_FALSE(std::getline(got, b));
    }
}
