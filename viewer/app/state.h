// All that the window shows depends on: what the reader opened, chose and points at. No ImGui, no display.
#pragma once
#include "viewer/app/playback.h"
#include "viewer/app/preferences.h"
#include <functional>
#include <optional>

namespace headroom {

// Of a scene, with the settings of its controls; or of "case NAME", the problem of a check, with "sequence" of its batch.
using MakeRecording = std::function<Recording(std::string_view scene, const Settings& settings)>;

// Where the reader stands in one scene.
struct Desk {
    std::shared_ptr<const Recording> recording; // null: nobody has looked yet
    std::shared_ptr<const Overview> overview;
    bool from_file = false, of_case = false; // the opened file's; the problem of a check; neither: the scene's own run
    Settings settings;
    double time = 0;
    Cell pinned;
};

struct State {
    explicit State(MakeRecording make_recording);

    Preferences preferences;
    std::size_t scene = 0;   // of scenes()
    std::vector<Desk> desks; // [scenes()]
    std::shared_ptr<const Recording> file;
    std::shared_ptr<const Overview> file_overview;
    std::string file_name;

    double now = 0; // the clock, in seconds
    bool playing = false;
    double began_at = 0, began_from = 0; // clock and timeline when it began to play

    Point pointer = {-1, -1};
    Cell hover;
    Rect size = {0, 0, 1600, 900};
    float least_text = 11; // in pixels: what can still be read on this display
    bool help = false, quit = false;
    std::optional<std::size_t> stop; // of the walk
    std::string message;             // one line for the reader: what was written, what went wrong

    MakeRecording make;

    const Scene& shown() const { return scenes()[scene]; }
    Desk& desk() { return desks[scene]; }
    const Desk& desk() const { return desks[scene]; }
    float em() const;
    std::size_t steps() const;
    double last() const { return steps() > 0 ? static_cast<double>(steps() - 1) : 0; }
    Playback playback() const;
    View view() const; // of the shown scene, at this moment
};

void open_file(State& state, const std::filesystem::path& path); // a failure becomes the message
void open_recording(State& state, std::shared_ptr<const Recording> recording, std::string name); // as from a file
void show(State& state, std::size_t scene); // makes its recording if there is none yet
bool make_again(State& state);              // the shown scene's own run, with its settings; false: it could not be made
void seek(State& state, double time);       // goes on playing from there if it plays

} // namespace headroom
