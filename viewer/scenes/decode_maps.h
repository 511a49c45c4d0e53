// What the parts of a Decode panel share: the lane they show, and how its maps stand in the picture.
#pragma once
#include "viewer/scenes/decode_panel.h"

namespace headroom {

struct PanelLane {
    const Lane& lane;
    std::int32_t number;
    const RecordedStep& step;
    const RecordedLayer& layer;
    const Overview::OfLane& seen;
    Index queries, capacity = 0; // capacity: tokens of the whole run
    std::int32_t shown_row = 0;  // of the queries: the last one, or the one pointed at
};
PanelLane panel_lane(const DecodePicture& on, std::size_t lane);

// How far a part of the step has come that begins and ends at these points of it: 0 … 1.
float part_of_progress(double progress, double from, double to);

// A map as part of the picture: what does not belong to the chosen cell steps back, what does is framed.
class LaneMaps {
public:
    explicit LaneMaps(const DecodePicture& on) : on_(on) {}
    void put(Rect at, Heatmap map, Cell first, Ink ink);
    Index coarsest() const { return coarsest_; } // numbers behind one drawn cell, at most

private:
    const DecodePicture& on_;
    Index coarsest_ = 1;
};

void draw_decode_results(const DecodePicture& on, const PanelLane& of, LaneMaps& maps, Rect at); // weights and output

} // namespace headroom
