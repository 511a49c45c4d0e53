#include "reference/parallel/linear.h"

#include "reference/parallel/instruction_sets.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"
#include <cmath>

using namespace headroom;

TEST_CASE("a weight matrix times tokens, few or many, whatever its sizes")
{
    Random random(4);
    for (const std::string_view set : parallel::instruction_sets())
        for (const Index T : {0, 1, 3, 16, 17, 200})
            for (const auto& [in, out] :
                 {std::pair<Index, Index>{0, 4}, {1, 1}, {64, 64}, {37, 130}, {600, 65}, {1040, 257}}) {
                if (in == 0 && T > 0) continue; // what has no columns has no rows
                const Tensor x = random_uniform({T, in}, random, -1, 1),
                             exact = random_uniform({out, in}, random, -1, 1);
                const StoredTensor w = store(exact, DType::f32);
                Tensor y({T, out});
                parallel_linear(x, w.view(), y, {.threads = 2, .instruction_set = std::string(set)});
                double worst = 0;
                for (Index t = 0; t < T; ++t)
                    for (Index o = 0; o < out; ++o) {
                        double sum = 0;
                        for (Index i = 0; i < in; ++i)
                            sum += x(t, i) * static_cast<double>(static_cast<float>(exact(o, i)));
                        worst = std::max(worst, std::fabs(sum - y(t, o)));
                    }
                INFO(set << ", T " << T << ", in " << in << ", out " << out);
                CHECK(worst < 1e-6 + 1e-7 * static_cast<double>(in)); // rounding; a wrong term is worth 0.1
            }
}

TEST_CASE("matrices that do not fit are refused")
{
    const StoredTensor w = store(Tensor({4, 3}), DType::f32), half = store(Tensor({4, 3}), DType::f16);
    Tensor y({2, 4});
    CHECK_THROWS_AS(parallel_linear(Tensor({2, 4}), w.view(), y), std::invalid_argument);
    CHECK_THROWS_AS(parallel_linear(Tensor({2, 3}), half.view(), y), std::invalid_argument);
    Tensor narrow({2, 3});
    CHECK_THROWS_AS(parallel_linear(Tensor({2, 3}), w.view(), narrow), std::invalid_argument);
}
