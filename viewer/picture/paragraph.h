// Flowing words: wrapped lines in which some words take a tensor's colour and numbers are facts.
//
//     "Each [q|query head] reads {} of the [k|keys]."      [ink|words]; {} is the next fact
#pragma once
#include "viewer/picture/picture.h"

namespace headroom {

// Sets the words into the width of `at`, from its top; returns the y below the last line. Words that name a tensor
// carry a cell with its part, so that pointing at the word can light the tensor up.
float paragraph(Picture& picture, Rect at, std::string_view markup, TextStyle style,
                const std::vector<Fact>& facts = {});
// Words that somebody else wrote, which hold no markup: they stand as they are, in at most as many lines as there is room for.
float quotation(Picture& picture, Rect at, std::string_view words, TextStyle style);
constexpr float line_height = 1.45f; // of the size

} // namespace headroom
