// One panel of Decode: a lane's queries wired to the KV heads that they share, its K and V caches, weights and output.
#pragma once
#include "viewer/scenes/magnitudes.h"
#include "viewer/scenes/page.h"

namespace headroom {

struct DecodePicture { // what all panels of a picture share
    Picture& picture;
    const Recording& recording;
    const View& view;
    const Overview& overview;
    const Page& page;
    Moment now;
    bool cached; // false: every step writes all keys and values again
};

// Returns how many numbers the coarsest drawn cell stands for: 1 where each has its own.
Index draw_decode_panel(const DecodePicture& on, Rect at, std::size_t lane);

const RecordedStep& step_of(const Lane& lane, Moment now); // the last one where a lane has fewer
inline Index queries_of(const RecordedStep& step)
{
    return step.layers.empty() ? step.added : step.layers[0].q.extent(2);
}

} // namespace headroom
