#include "viewer/app/export_now.h"

#include "reference/tensor/files.h"
#include "viewer/export/png.h"
#include "viewer/export/svg.h"
#include <fmt/format.h>

namespace headroom {

void export_now(State& state)
{
    if (!state.desk().recording) return;
    const View view = state.view();
    const Rect size{0, 0, state.size.width(), state.size.height()};
    const Picture picture = draw(state.shown(), *state.desk().recording, view, size);
    const Theme& look = theme(state.preferences.dark ? "dark" : "light");
    const std::string name = fmt::format("headroom-{}-step-{:g}", state.shown().name, view.time);
    try {
        write_file(name + ".svg", svg(picture, look));
        write_file(name + ".png", png(rasterise(picture, look)));
        state.message = fmt::format("{} {}.svg, {}.png", words(Words::wrote, state.preferences.language), name, name);
    } catch (const std::exception& error) {
        state.message = error.what();
    }
}

} // namespace headroom
