#include "reference/tensor/random.h"

#include <utility>

namespace headroom {

std::uint64_t Random::bits()
{
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
double Random::uniform(double from, double to) { return from + (to - from) * uniform(); }

Index Random::integer(Index from, Index to)
{
    return from + static_cast<Index>(bits() % static_cast<std::uint64_t>(to - from + 1));
}

double Random::normal()
{
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
}

Tensor random_uniform(Shape shape, Random& random, double from, double to)
{
    Tensor t(std::move(shape));
    for (double& x : t.values()) x = random.uniform(from, to);
    return t;
}

Tensor random_normal(Shape shape, Random& random)
{
    Tensor t(std::move(shape));
    for (double& x : t.values()) x = random.normal();
    return t;
}

} // namespace headroom
