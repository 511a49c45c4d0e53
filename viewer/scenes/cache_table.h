// The numbers of each kind of cache after a step, a row for each lane.
#pragma once
#include "viewer/scenes/page.h"

namespace headroom {

void draw_table_head(Picture& picture, Rect table, float base_line, Language language, float em);
void draw_table_row(Picture& picture, Rect table, float base_line, const Lane& lane, const RecordedStep& step,
                    float em);

} // namespace headroom
