// The parts of the Verify scene.
#pragma once
#include "viewer/scenes/page.h"
#include "viewer/scenes/verify_choice.h"

namespace headroom {

struct VerifyPicture {
    Picture& picture;
    const View& view;
    const Page& page;
    const RecordedCheck& check;
    const VerifyChoice& choice;
    const Overview& seen;
};
void draw_stage_strip(const VerifyPicture& on, Rect at);      // the stages in order, the first to diverge marked
void draw_error_map(const VerifyPicture& on, Rect at);        // of the chosen stage
void draw_verify_inspector(const VerifyPicture& on, Rect at); // its numbers, and the cell in question

} // namespace headroom
