// What all scenes share: the title, the column of words at the right, the line at the foot that says how to repeat it.
#pragma once
#include "viewer/scenes/scene.h"
#include "viewer/scenes/words.h"

namespace headroom {

struct Page {
    Rect body, commentary, inspector;
    float em; // the text size; all distances are multiples of it
    TextStyle text, small, heading;
};
Page page(Picture& picture, const Recording& recording, const View& view, Words title, Rect at);

Rect panel(Picture& picture, Rect at, float em); // paints it; returns the room inside

} // namespace headroom
