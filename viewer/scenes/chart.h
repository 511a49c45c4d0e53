// What charts share: a scale from numbers to pixels, the rules with their numbers, and looks that tell curves apart.
#pragma once
#include "viewer/picture/picture.h"
#include <functional>
#include <span>

namespace headroom {

struct Scale {
    double least = 0, most = 1;
    bool logarithmic = false; // by powers of two; what is below `least` stands at it
    float from = 0, to = 1;   // pixels

    float at(double number) const;
    std::vector<double> ticks(int at_most) const; // both ends, and between them powers of two or even steps
};

struct Look { // of a curve, a bar or a box: by colour, and by dash for who does not tell colours apart
    Ink ink = Ink::ink;
    float dash = 0;
};
Look look_of(std::size_t series);

// Rules across the plot at the ticks of y, and their numbers at its left; likewise up from the ticks of x, below it.
void rules_of_y(Picture& picture, Rect plot, const Scale& y, Unit unit, float em);
void rules_of_x(Picture& picture, Rect plot, const Scale& x, Unit unit, float em);

void curve_through(Picture& picture, std::span<const Point> points, Look look, float width, float opacity = 1);

// One line of a legend: a sample of the curve, a name, and a number at the right end, where there is one.
void legend_line(Picture& picture, Rect at, Look look, std::string_view name, float em,
                 const std::vector<Fact>& number = {}, Ink number_ink = Ink::muted);

} // namespace headroom
