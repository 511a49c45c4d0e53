// The whole window as pictures: the scene, the bars around it, what lies over both; and where a click does what.
#pragma once
#include "viewer/app/actions.h"

namespace headroom {

struct Spot {
    Rect at;
    Request request;
    bool drags = false; // the timeline: the request's value is read off the pointer
};

struct Screen {
    Rect track;                   // of the timeline, from step 0 to the last one
    Picture scene, bars, overlay; // painted in this order
    std::vector<Spot> spots;      // the last one lies on top
    bool covered = false;         // an overlay takes all clicks

    const Spot* spot_at(Point at) const;
};

Screen lay_out(const State& state);
Picture joined(const Screen& screen); // all of it in one picture, for files

} // namespace headroom
