// What a picture shows, as text: its words in reading order and the facts behind its numbers.
#pragma once
#include "viewer/picture/picture.h"

namespace headroom {

std::string describe(const Picture& picture);

} // namespace headroom
