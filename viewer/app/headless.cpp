#include "viewer/app/headless.h"

#include "reference/tensor/files.h"
#include "viewer/app/app.h"
#include "viewer/app/walk.h"
#include "viewer/export/png.h"
#include "viewer/export/svg.h"
#include "viewer/scenes/magnitudes.h"
#include <fmt/format.h>

namespace headroom {

Film film_of(const Scene& scene, const Recording& recording, const View& view, Rect size, double speed)
{
    const std::size_t steps = scene.steps(recording, view);
    const double last = steps > 0 ? static_cast<double>(steps - 1) : 0;
    View seen = view;
    if (!seen.overview) seen.overview = overview(recording);
    return {.seconds = last / speed + 1,
            .moment_at =
                [=](double seconds) { return time_of({.from = 0, .seconds = seconds, .speed = speed, .last = last}); },
            .picture_of =
                [&scene, &recording, seen, size](double moment) {
                    View now = seen;
                    now.time = moment;
                    return draw(scene, recording, now, size);
                }};
}

std::string without_markup(std::string_view words)
{
    std::string plain;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == '[')
            i = words.find('|', i);
        else if (words[i] != ']')
            plain += words[i];
    }
    return plain;
}

std::size_t export_walk(const std::filesystem::path& folder, const MakeRecording& make, const Preferences& preferences,
                        float zoom)
{
    std::filesystem::create_directories(folder);
    App app(make, preferences);
    app.resize(static_cast<float>(preferences.width), static_cast<float>(preferences.height), 11);
    app.ask({Act::walk});
    const Theme& look = theme(preferences.dark ? "dark" : "light");
    std::string text;
    for (std::size_t i = 0; i < stops().size(); ++i) {
        const Picture picture = joined(app.screen());
        const std::filesystem::path file = folder / fmt::format("{:02}-{}", i + 1, stops()[i].scene);
        write_file(file.string() + ".svg", svg(picture, look));
        write_file(file.string() + ".png", png(rasterise(picture, look, zoom)));
        text += fmt::format("{}. {}: {}\n\n", i + 1, words(app.state().shown().title, preferences.language),
                            without_markup(words(stops()[i].text, preferences.language)));
        app.ask({Act::walk_on});
    }
    write_file(folder / "walk.txt", text);
    return stops().size();
}

} // namespace headroom
