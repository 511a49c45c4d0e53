#include "tutorials/09_first_kernel/exercise.h"
#include "tutorials/examiner.h"

#include "cuda/executor/fault.h"
#include "cuda/executor/simt/simt_executor.h"
#include "cuda/primitives/cuda.h"

using namespace headroom::cuda;

struct Params {
    float* sums; // [128]
    float first;
};
__device__ void sum_up(const Params& p) { p.sums[threadIdx.x] = block_sum(p.first + float(threadIdx.x)); }
KERNEL(chapter_09_sum_up, Params, 128, sum_up)

int main()
{
    headroom::Examiner examiner;
    using simt::Schedule;
    for (const auto schedule :
         {Schedule::forward, Schedule::reverse, Schedule::ahead, Schedule::behind, Schedule::random}) {
        const float first = schedule == Schedule::forward ? 0 : 1;
        SimtExecutor executor({.schedule = schedule});
        const Buffer<float> sums(executor, 128, "sums");
        try {
            launch(executor, chapter_09_sum_up_kernel, {.block = {128}}, {sums.data(), first});
            const std::vector<float> found = sums.read();
            for (std::size_t i = 0; i < found.size(); ++i)
                examiner.near(first == 0 ? "the sum of 0 … 127 in thread " + std::to_string(i)
                                         : "the sum of 1 … 128 in thread " + std::to_string(i),
                              double(found[i]), first == 0 ? 8128 : 8256);
        } catch (const Fault& fault) {
            examiner.that(false, fault.what());
        }
    }
    return examiner.verdict(
        "a barrier, __syncthreads(), stands between a write and another thread's read; all meet it.\n");
}
