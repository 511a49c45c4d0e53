// The parts of the Memory scene beside its chart.
#pragma once
#include "viewer/scenes/memory_model.h"
#include "viewer/scenes/page.h"

namespace headroom {

struct MemoryPicture {
    Picture& picture;
    const View& view;
    const Page& page;
    const std::vector<PlannedModel>& models;
    const MemoryChoice& choice;
    std::size_t chosen; // the model that is looked at
};
void draw_memory_table(const MemoryPicture& on, Rect at);    // a row of numbers for each model
void draw_what_fits(const MemoryPicture& on, Rect at);       // batch x context: what fits on the GPU
void draw_model_inspector(const MemoryPicture& on, Rect at); // where a model's bytes per token come from

} // namespace headroom
