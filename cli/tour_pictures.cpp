#include "cli/tour_pictures.h"

#include "experiments/scene_recordings.h"
#include "reference/tensor/files.h"
#include "viewer/app/headless.h"
#include "viewer/export/png.h"
#include "viewer/export/svg.h"

namespace headroom {

LeftPictures leave_pictures(const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    LeftPictures left;
    for (const Scene& scene : scenes()) {
        Recording recording = scene_recording(scene.name, {});
        recording.command = "headroom view --scene " + std::string(scene.name);
        View view;
        view.time = 1e9;
        const Picture picture = draw(scene, recording, view, {0, 0, 1600, 900});
        const std::string name(scene.name);
        write_file(folder / (name + ".svg"), svg(picture, theme("light")));
        write_file(folder / (name + ".png"), png(rasterise(picture, theme("light"))));
        left.files.push_back(name);
    }
    if (have_ffmpeg()) {
        const Recording recording = scene_recording("decode", {});
        View view;
        view.text_size = 12;
        Film film = film_of(scene("decode"), recording, view, {0, 0, 1280, 720}, 3);
        film.frames_per_second = 15;
        write_film(film, theme("dark"), 0.75f, folder / "decode.mp4");
        left.film = true;
    }
    return left;
}

} // namespace headroom
