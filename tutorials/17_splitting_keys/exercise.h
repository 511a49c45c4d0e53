// What attention kernels hand out for one query head and some of its keys, and how two such results become one.
#pragma once
#include <vector>

struct Part {
    std::vector<double> output; // [Dv] softmax over its own keys times their values; 0 where it saw none
    double lse;                 // log of the sum of exp(score) over its own keys; -inf where it saw none
    int keys;                   // how many it saw
};
Part merged(const std::vector<Part>& parts); // as if one had seen all keys
