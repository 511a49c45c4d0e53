// A row of what marks mean: a small sample of each and its name.
#pragma once
#include "viewer/picture/picture.h"
#include "viewer/scenes/words.h"
#include <functional>

namespace headroom {

class LegendRow {
public:
    LegendRow(Picture& picture, Point at, float em, Language language); // `at`: left end of the base line
    void entry(Words name, const std::function<void(Rect)>& paint_sample);

private:
    Picture& picture_;
    Point at_;
    float em_;
    Language language_;
};

} // namespace headroom
