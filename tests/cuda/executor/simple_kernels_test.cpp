#include "cuda/executor/simt/simt_executor.h"
#include "tests/cuda/executor/simple_kernels.h"
#include "tests/support/catch.h"

#include <numeric>

using namespace headroom::cuda;

TEST_CASE("a kernel with shuffles and shared memory sums rows, whatever the schedule")
{
    const auto schedule = GENERATE(simt::Schedule::forward, simt::Schedule::reverse, simt::Schedule::ahead,
                                   simt::Schedule::behind, simt::Schedule::random);
    SimtExecutor executor({.schedule = schedule, .seed = 7});
    const int rows = 5, width = 300;
    std::vector<float> values(rows * width);
    std::iota(values.begin(), values.end(), 1.0f);
    Buffer<float> from(executor, values, "values");
    Buffer<float> sums(executor, rows, "sums");
    launch(executor, row_sums_kernel, {.grid = {rows}, .block = {128}}, {from.data(), sums.data(), width});
    const std::vector<float> got = sums.read();
    for (int r = 0; r < rows; ++r)
        CHECK(got[std::size_t(r)] ==
              std::accumulate(values.begin() + r * width, values.begin() + (r + 1) * width, 0.0f));
}

TEST_CASE("dynamic shared memory holds what one block wrote")
{
    const auto fiber_switch = GENERATE(simt::best_switch(), simt::SwitchKind::portable);
    SimtExecutor executor({.fiber_switch = fiber_switch});
    const int n = 200; // no multiple of 32
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), 0.0f);
    Buffer<float> from(executor, values, "from");
    Buffer<float> to(executor, n, "to");
    launch(executor, reverse_kernel, {.block = {n}, .dynamic_shared = n * sizeof(float)}, {from.data(), to.data(), n});
    const std::vector<float> got = to.read();
    for (int i = 0; i < n; ++i) CHECK(got[std::size_t(i)] == float(n - 1 - i));
}

TEST_CASE("a launch beyond a kernel's bounds is refused")
{
    SimtExecutor executor;
    CHECK_THROWS_AS(launch(executor, row_sums_kernel, {.block = {512}}, {}), std::invalid_argument);
    CHECK_THROWS_AS(launch(executor, reverse_kernel, {.dynamic_shared = 1 << 20}, {}), std::invalid_argument);
}
