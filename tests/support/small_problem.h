// A valid problem of two sequences, four query heads and two KV heads, to be broken by a test in one place.
#pragma once
#include "reference/contract/problem_file.h"
#include "reference/tensor/random.h"

namespace headroom {

inline OwnedProblem small_problem(DType type = DType::f64) // L 3, S 5, D 4, Dv 6
{
    Random random(1);
    OwnedProblem p;
    p.q = store(random_uniform({2, 4, 3, 4}, random), type);
    p.k = store(random_uniform({2, 2, 5, 4}, random), type);
    p.v = store(random_uniform({2, 2, 5, 6}, random), type);
    return p;
}

} // namespace headroom
