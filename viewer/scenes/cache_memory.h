// What a cache's memory holds after a step, slot by slot, and what the step did to it.
#pragma once
#include "viewer/scenes/page.h"
#include <set>

namespace headroom {

struct Slots {
    std::vector<Index> position;              // of the token that lies there, -1: none
    std::set<Index> written, copied, evicted; // slots
};
Slots slots_of(const Lane& lane, std::size_t step);

// One square per slot, in the order of memory; a step under way moves what it copies and writes.
struct SlotRow {
    const Lane& lane;
    std::int32_t number; // of the lane
    std::size_t step;
    Index most_slots;  // of all lanes: one scale
    double bytes_part; // of a slot's bytes, of the largest lane's: squares are as high as their bytes
    double progress;
};
void draw_slots(Picture& picture, Rect row, const SlotRow& slots, float em);
void cross_out(Picture& picture, Rect cell); // the token that lay there is overwritten

} // namespace headroom
