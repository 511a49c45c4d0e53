// The cache kernels against their meaning in words (tests/cuda/support/cache_checks.h), on every executor of this machine.
#include "tests/cuda/support/cache_checks.h"
#include "tests/cuda/support/executors.h"
#include "tests/support/catch.h"

using namespace headroom::cuda;

TEST_CASE("append, quantise-append and expand do what they say, on every executor")
{
    for (const NamedExecutor& each : every_executor())
        for (const char* kernel : {"append", "quantise_append", "expand"}) {
            INFO(kernel << " on " << each.name);
            CHECK(wrong_with_cache_kernel(kernel, *each.make()) == "");
        }
}
