// The parts of the Cache scene.
#pragma once
#include "viewer/scenes/page.h"

namespace headroom {

struct CachePicture {
    Picture& picture;
    const std::vector<Lane>& lanes;
    const View& view;
    const Page& page;
    std::size_t steps;
    Moment now;

    std::size_t step_of(const Lane& lane) const { return std::min(now.step, lane.steps.size() - 1); }
};
void draw_cache_lanes(const CachePicture& on, Rect at);  // every kind's memory, slot by slot, and its numbers
void draw_cache_charts(const CachePicture& on, Rect at); // bytes held and bytes copied, step by step

} // namespace headroom
