// A row of numbers in 8-bit integers from -127 to 127, with one scale: number = scale * integer.
#pragma once
#include <vector>

struct Quantised {
    double scale = 1;
    std::vector<int> integers;
};
Quantised quantise(const std::vector<double>& row);
