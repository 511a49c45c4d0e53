// Where the timeline stands: a pure function of the clock, and the stops that the keys jump to.
#pragma once
#include "viewer/scenes/scene.h"

namespace headroom {

// Each step takes a second at speed 1: it moves first and then rests for the last part of it.
constexpr double moving_part = 0.7;

struct Playback {
    double from = 0;    // the time of the view when it began
    double seconds = 0; // since then
    double speed = 1;   // steps per second
    double last = 0;    // the last step
    bool reduced_motion = false;
};
double time_of(const Playback& playback);              // of the view; `last` when it is over
double seconds_until_motion(const Playback& playback); // 0: it is moving now

// Ends of the phases of a step, the whole steps among them: the nearest one behind or before a time.
double next_phase(std::span<const Phase> phases, double time, double last);
double previous_phase(std::span<const Phase> phases, double time);
std::size_t phase_at(std::span<const Phase> phases, double time); // phases.size(): the step rests

} // namespace headroom
