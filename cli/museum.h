// headroom tutorial museum: the bug museum's list, one exhibit with its two runs, and the pictures.
#pragma once
#include <string>

namespace headroom {

struct MuseumVisit {
    std::string exhibit; // empty: all
    bool chinese = false;
    std::string pictures; // a folder for NAME.svg and NAME.zh.svg; empty: print
};
int visit_museum(const MuseumVisit& visit); // throws std::invalid_argument where there is no such exhibit

} // namespace headroom
