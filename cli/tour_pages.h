// The tour's pages: each prints a part of what the run found. The first four are in tour_shapes.cpp, the others in tour_costs.cpp.
#pragma once
#include "cli/terminal.h"
#include "experiments/tour.h"

namespace headroom {

void show_model(const Tour& tour, const Terminal& out);
void show_layer(const Tour& tour, const Terminal& out);
void show_decoding(const Tour& tour, const Terminal& out);
void show_sharing(const Tour& tour, const Terminal& out);
void show_caches(const Tour& tour, const Terminal& out);
void show_work(const Tour& tour, const Terminal& out);
void show_times(const Tour& tour, const Terminal& out);
void show_text(const Tour& tour, const Terminal& out);

} // namespace headroom
