// A picture as SVG text. Needs no font: every text states the width that the layout gave it.
#pragma once
#include "viewer/picture/theme.h"

namespace headroom {

std::string svg(const Picture& picture, const Theme& theme);

} // namespace headroom
