#include "cli/view_pictures.h"

#include "experiments/scene_recordings.h"
#include "reference/tensor/files.h"
#include "viewer/export/png.h"
#include "viewer/export/svg.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

struct Shot {
    std::string name;
    std::string_view scene;
    double time;
    Cell hover = {};
    Settings settings = {};
};

std::vector<Shot> shots()
{
    std::vector<Shot> list;
    for (const Scene& each : scenes()) list.push_back({std::string(each.name), each.name, usual_time(each.name)});
    list.push_back({"decode-prefill", "decode", 0});
    list.push_back({"decode-cell", "decode", usual_time("decode"), {Part::output, 1, 2, 0, 1}});
    list.push_back({"verify-mistake", "verify", usual_time("verify"), {}, {{"planted", 1}}});
    return list;
}

} // namespace

double usual_time(std::string_view scene) { return scene == "memory" ? 5 : 1e9; }
float text_size_for(Rect size) { return std::max(11.0f, 15 * size.height() / 900); }

void write_picture(const Picture& picture, const Theme& theme, const std::filesystem::path& path, float zoom)
{
    if (path.extension() == ".svg")
        write_file(path, svg(picture, theme));
    else if (path.extension() == ".png")
        write_file(path, png(rasterise(picture, theme, zoom)));
    else
        throw std::invalid_argument("--export " + path.string() + " does not end in .svg, .png, .mp4 or .gif");
}

void write_all_pictures(const std::filesystem::path& folder, const Recording* recording, Rect size, float zoom)
{
    std::filesystem::create_directories(folder);
    for (const Shot& shot : shots()) {
        if (recording && !shot.settings.empty()) continue; // it would make a run of its own
        const Recording own =
            recording ? Recording{.title = "", .command = "", .lanes = {}} : scene_recording(shot.scene, shot.settings);
        View view{.time = shot.time, .hover = shot.hover, .pinned = {}};
        view.text_size = text_size_for(size);
        for (const auto& [code, language] : {std::pair{"en", Language::en}, std::pair{"zh", Language::zh}}) {
            view.language = language;
            const Picture picture = draw(scene(shot.scene), recording ? *recording : own, view, size);
            for (const char* look : {"light", "dark"})
                for (const char* ending : {".svg", ".png"})
                    write_picture(picture, theme(look), folder / (shot.name + "-" + code + "-" + look + ending), zoom);
        }
    }
}

} // namespace headroom
