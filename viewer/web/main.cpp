// The viewer as a web page: the window's App in a canvas, with the recording that the page brings along if there is one.
#include "experiments/scene_recordings.h"
#include "viewer/app/window.h"
#include "viewer/export/describe.h"
#include "viewer/web/not_here.h"
#include <emscripten.h>
#include <iostream>

using namespace headroom;

namespace {

// clang-format off
EM_JS(int, matches, (const char* media), { return matchMedia(UTF8ToString(media)).matches; })
EM_JS(int, canvas_width, (), { return innerWidth * devicePixelRatio; })
EM_JS(int, canvas_height, (), { return innerHeight * devicePixelRatio; })
// clang-format on

// What the browser knows; Emscripten hands its language on as LANG.
Preferences preferences()
{
    Preferences p = remembered({});
    p.dark = matches("(prefers-color-scheme: dark)");
    p.reduced_motion = matches("(prefers-reduced-motion: reduce)");
    p.width = canvas_width();
    p.height = canvas_height();
    return p;
}

App& app()
{
    static App the_app(scene_recording, preferences());
    return the_app;
}

} // namespace

// For scripts: what `headroom view --window --describe` prints, of what the page shows now.
extern "C" EMSCRIPTEN_KEEPALIVE const char* headroom_describe()
{
    static std::string text;
    text = describe(joined(lay_out(app().state())));
    return text.c_str();
}

int main(int argc, char** argv)
{
    try {
        if (argc > 1) {
            bring_along(argv[1]);
            app().open(argv[1]);
        }
        run_window(app());
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
