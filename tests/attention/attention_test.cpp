#include "reference/attention/attention.h"
#include "reference/contract/problem_file.h"
#include "tests/support/catch.h"

using namespace headroom;

TEST_CASE("each group of query heads reads its own KV head")
{
    OwnedProblem owned; // one key; V of KV head 0 is 10, of KV head 1 is 20
    owned.q = store(Tensor({1, 4, 1, 1}, 1.0), DType::f64);
    owned.k = store(Tensor({1, 2, 1, 1}, 1.0), DType::f64);
    owned.v = store(Tensor({1, 2, 1, 1}, {10, 20}), DType::f64);
    const AttentionStages result = attention(owned.problem());
    CHECK(std::ranges::equal(result.output.values(), std::vector<double>{10, 10, 20, 20}));
}
