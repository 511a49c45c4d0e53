// The parts of the Verify scene's main panel: the stages in order, and the map of one stage's errors.
#pragma once
#include "viewer/scenes/verify_stage.h"

namespace headroom {

void draw_stage_strip(Picture& picture, Rect at, const RecordedCheck& check, std::size_t shown, Language language,
                      float em);

struct ErrorMap {
    const RecordedCheck& check;
    std::size_t stage;
    std::int32_t number; // of the check
    const View& view;
};
void draw_error_map(Picture& picture, Rect at, const ErrorMap& map, float em);

} // namespace headroom
