// How a cost grows: the straight line through measurements (least squares), and how much of them it explains.
#pragma once
#include <span>

namespace headroom {

struct Line {
    double start = 0, slope = 0; // y = start + slope x
    double r_squared = 0;        // 1: every point lies on it; 0: no better than the mean
    double at(double x) const { return start + slope * x; }
};
Line fit_line(std::span<const double> x, std::span<const double> y);

// y = c x^slope: a line through the logarithms. Linear growth has slope 1, quadratic 2.
Line fit_power(std::span<const double> x, std::span<const double> y);

} // namespace headroom
