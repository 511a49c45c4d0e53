// Small kernels that use one thing each: what every executor must run alike.
#include "tests/cuda/executor/simple_kernels.h"

#include "cuda/primitives/cuda.h"

namespace headroom::cuda {
namespace {

// Sums each row of [rows, width] with a block per row: shuffles inside warps, shared memory between them.
template <class T> __device__ void row_sums(const RowSums& p)
{
    SHARED_ARRAY(float, partial, [32]);
    const int thread = int(threadIdx.x), threads = int(blockDim.x), row = int(blockIdx.x);
    float sum = 0;
    for (int i = thread; i < p.width; i += threads) sum += p.values[row * p.width + i];
    for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (thread % 32 == 0) partial[thread / 32] = sum;
    __syncthreads();
    if (thread < 32) {
        sum = thread < threads / 32 ? partial[thread] : 0;
        for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, unsigned(step));
        if (thread == 0) p.sums[row] = static_cast<T>(sum);
    }
}

// Reverses n numbers through dynamic shared memory.
__device__ void reverse(const Reverse& p)
{
    DYNAMIC_SHARED(float, numbers);
    const int i = int(threadIdx.x);
    numbers[i] = p.from[i];
    __syncthreads();
    p.to[i] = numbers[p.n - 1 - i];
}

} // namespace

KERNEL(executor_simple_kernels_row_sums, RowSums, 256, row_sums<float>)
KERNEL(executor_simple_kernels_reverse, Reverse, 1024, reverse)

const Kernel<RowSums> row_sums_kernel = executor_simple_kernels_row_sums_kernel;
const Kernel<Reverse> reverse_kernel = executor_simple_kernels_reverse_kernel;

} // namespace headroom::cuda
