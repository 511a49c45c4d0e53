// The picture of an exhibit, from a run with the switch off and one with the switch on.
#pragma once
#include "tutorials/museum/exhibit.h"
#include "viewer/picture/picture.h"
#include <string>

namespace headroom::museum {

Picture draw(const Exhibit& exhibit, bool chinese);

std::string with_index(std::string_view pattern, int index); // "query head {}" -> "query head 3"
bool same(double a, double b);                               // NaN is the same as NaN

} // namespace headroom::museum
