#include "viewer/app/playback.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

constexpr double close = 1e-6;

// Steps that have begun since the playback did. It begins in the middle of a step where the reader left off there.
struct Beat {
    double step; // whole: the step that was complete last
    double part; // of the second that the next one takes
};
Beat beat_of(const Playback& p)
{
    const double whole = std::floor(p.from + close), begun = std::max(0.0, p.from - whole) * moving_part;
    const double beats = whole + begun + p.seconds * p.speed;
    return {std::floor(beats + close), beats - std::floor(beats + close)};
}

} // namespace

double time_of(const Playback& p)
{
    const Beat now = beat_of(p);
    const double moved = p.reduced_motion ? 1 : std::clamp(now.part / moving_part, 0.0, 1.0);
    return std::min(now.step + (now.part > 0 ? moved : 0), p.last);
}

double seconds_until_motion(const Playback& p)
{
    const Beat now = beat_of(p);
    if (now.part < moving_part && !p.reduced_motion) return 0;
    return (1 - now.part) / p.speed;
}

double next_phase(std::span<const Phase> phases, double time, double last)
{
    const double step = std::floor(time + close), part = time - step;
    for (const Phase& phase : phases)
        if (phase.until > part + close && phase.until < 1) return std::min(step + phase.until, last);
    return std::min(step + 1, last);
}

double previous_phase(std::span<const Phase> phases, double time)
{
    const double step = std::ceil(time - close) - 1, part = time - step; // in the step that leads to the next whole one
    double best = 0;
    for (const Phase& phase : phases)
        if (phase.until < part - close) best = phase.until;
    return std::max(0.0, step + best);
}

std::size_t phase_at(std::span<const Phase> phases, double time)
{
    const double part = time - std::floor(time);
    if (part < close) return phases.size();
    for (std::size_t i = 0; i < phases.size(); ++i)
        if (part <= phases[i].until + close) return i;
    return phases.size();
}

} // namespace headroom
