#include "experiments/bench/fit.h"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace headroom {

Line fit_line(std::span<const double> x, std::span<const double> y)
{
    if (x.size() != y.size() || x.size() < 2) throw std::invalid_argument("a line needs two points or more");
    const auto n = static_cast<double>(x.size());
    const double mean_x = std::reduce(x.begin(), x.end()) / n, mean_y = std::reduce(y.begin(), y.end()) / n;
    double xx = 0, xy = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    const double slope = xy / xx;
    return {mean_y - slope * mean_x, slope, yy == 0 ? 1 : xy * xy / (xx * yy)};
}

Line fit_power(std::span<const double> x, std::span<const double> y)
{
    const auto logarithms = [](std::span<const double> list) {
        std::vector<double> logs;
        for (const double value : list) logs.push_back(std::log(value));
        return logs;
    };
    return fit_line(logarithms(x), logarithms(y));
}

} // namespace headroom
