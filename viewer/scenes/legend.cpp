#include "viewer/scenes/legend.h"

namespace headroom {

LegendRow::LegendRow(Picture& picture, Point at, float em, Language language)
    : picture_(picture), at_(at), em_(em), language_(language)
{}

void LegendRow::entry(Words name, const std::function<void(Rect)>& paint_sample)
{
    const float top = at_.y - 0.75f * em_, side = 0.95f * em_;
    paint_sample({at_.x, top, at_.x + side, top + side});
    at_.x = picture_.words({at_.x + 1.4f * em_, at_.y}, words(name, language_), {.ink = Ink::muted, .size = 0.8f * em_})
                .x1 +
            1.6f * em_;
}

} // namespace headroom
