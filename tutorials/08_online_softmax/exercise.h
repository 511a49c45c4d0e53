// The attention of one query, key by key: three numbers are all that is kept.
#pragma once
#include <limits>

struct Running {
    double max = -std::numeric_limits<double>::infinity(); // largest score so far
    double sum = 0;                                        // of exp(score - max)
    double weighted = 0;                                   // sum of exp(score - max) * value
};
void add(Running& running, double score, double value);
