// The guided walk: stops that lead through the scenes, each at a moment, with a cell lit and a few words.
#pragma once
#include "viewer/app/state.h"

namespace headroom {

struct Stop {
    std::string_view scene;
    double time;
    Cell lit;
    Words text;
};
std::span<const Stop> stops(); // the lines of walk.inc whose scenes there are

void begin_walk(State& state);
void walk_by(State& state, int stops); // beyond the last one the walk ends; does nothing outside the walk
void end_walk(State& state);

} // namespace headroom
