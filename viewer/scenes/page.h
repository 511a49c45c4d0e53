// What all scenes share: the title, the column of words at the right, the line at the foot that says how to repeat it.
#pragma once
#include "viewer/scenes/scene.h"
#include "viewer/scenes/words.h"

namespace headroom {

struct Page {
    Rect body, commentary, inspector;
    float em; // the text size; all distances are multiples of it
    TextStyle text, small, heading;
    Language language;
    bool in_window; // bars around it say what a page alone says in its head and foot
};
// `steps`: how many the scene has; 0: no timeline. A page that is only part of its picture, as in a window whose bars
// say the same, has neither head nor foot.
Page page(Picture& picture, const Recording& recording, const View& view, Words title, std::size_t steps, Rect at);

Rect panel(Picture& picture, Rect at, float em);                                   // paints it; returns the room inside
Rect panel(Picture& picture, Rect at, const Page& page, std::string_view heading); // the room below its heading
// The panel of words: returns the room between its heading and, at its foot, the chapter of the tutorial that tells more.
Rect words_panel(Picture& picture, const Page& page, std::string_view heading, std::string_view chapter);

// A fact without much ado.
Fact index_fact(std::string what, Index number);
Fact count_of(std::string what, Index number);
Fact bytes_of(std::string what, Index number, Fact::Origin origin = Fact::Origin::computed);

} // namespace headroom
