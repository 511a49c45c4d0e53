#include "reference/contract/problem_file.h"
#include "tests/support/catch.h"

using namespace headroom;

TEST_CASE("query heads must be a multiple of KV heads")
{
    OwnedProblem owned;
    owned.q = StoredTensor({1, 5, 1, 4}, DType::f32);
    owned.k = StoredTensor({1, 2, 3, 4}, DType::f32);
    owned.v = StoredTensor({1, 2, 3, 4}, DType::f32);
    CHECK_THROWS_AS(check(owned.problem()), std::invalid_argument);
}
