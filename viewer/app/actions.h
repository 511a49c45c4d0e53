// What a reader can ask for, by key, by mouse or from a test; and what it does to the state.
#pragma once
#include "viewer/app/state.h"

namespace headroom {

enum class Act : std::uint8_t {
    play,
    left, // a step back, or with a pinned cell: one cell to the left
    right,
    up, // moves the pinned cell
    down,
    step_back,
    step,
    phase_back,
    phase,
    first,
    last,
    seek, // value: the time
    slower,
    faster,
    scene,   // value: which
    source,  // the opened file, or the scene's own run; from a check's problem back to that
    control, // index: which, value: its setting
    pin,
    leave,
    theme,
    language,
    logarithmic,
    larger,
    smaller,
    usual_size,
    motion,
    chapter,   // value: of the tutorial; says how to read it
    open_case, // the problem of the check that Verify shows, in Decode
    export_picture,
    help,
    walk, // begins or ends
    walk_on,
    walk_back,
    quit
};
struct Request {
    Act act = Act::play;
    double value = 0;
    std::size_t index = 0;
    bool operator==(const Request&) const = default;
};

void act(State& state, const Request& request);

} // namespace headroom
