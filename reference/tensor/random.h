// A generator of our own, because the library's distributions differ between standard libraries: the same seed gives
// the same numbers on every platform (SplitMix64: Steele, Lea, Flood 2014).
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits();                   // 64 random bits
    double uniform();                       // [0, 1), 53 bits
    double uniform(double from, double to); // [from, to)
    Index integer(Index from, Index to);    // from … to, both included
    double normal();                        // mean 0, variance 1 (sum of twelve uniforms: no library function in it)

private:
    std::uint64_t state_;
};

Tensor random_uniform(Shape shape, Random& random, double from = -4, double to = 4);
Tensor random_normal(Shape shape, Random& random);

} // namespace headroom
