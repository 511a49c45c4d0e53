// One box through Hopper's copy engine: what a machine runs before any step that depends on tensor maps.
//   grid       (1)      block  32
//   reads      64 rows of 128 bytes once, by one copy
//   limits     sm_90
#include "cuda/bench/kernels.h"
#include "cuda/primitives/tma.h"
#include "cuda/primitives/vector_access.h"

namespace headroom::cuda {
namespace {

constexpr int rows = 64, row_bytes = 128, bytes = rows * row_bytes;

__device__ void box(const BoxCopy& b)
{
    DYNAMIC_SHARED(std::byte, shared);
    std::uint64_t* full = reinterpret_cast<std::uint64_t*>(shared + bytes);
    const int lane = static_cast<int>(threadIdx.x);
    if (lane == 0) {
        mbar_init(full, 1);
        mbar_init_fence();
    }
    __syncthreads();
    if (lane == 0) {
        mbar_expect_tx(full, bytes);
        tma_load_4d(shared, &b.map, 0, 0, 0, 0, full);
    }
    mbar_wait(full, 0);
    for (int i = lane; i < bytes / 16; i += 32) { // chunk c of row r landed at c ^ (r % 8)
        const int row = i / 8, chunk = i % 8;
        st_vec(static_cast<uint4*>(b.to) + i, ld_vec<uint4>(shared + row * row_bytes + ((chunk ^ (row & 7)) << 4)));
    }
}

} // namespace

KERNEL(bench_box_copy, BoxCopy, 32, box)

void copy_box(Executor& executor, const BoxCopy& b)
{
    launch(executor, bench_box_copy_kernel, {.block = {32}, .dynamic_shared = bytes + 8}, b);
}

} // namespace headroom::cuda
