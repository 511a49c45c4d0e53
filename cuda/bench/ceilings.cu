// Ceilings: copying and reading, by the simplest kernels that reach them, and a kernel that does nothing.
//   grid       as many blocks as asked for      block  256 threads, four pieces of 16 bytes under way each
//   reads      each byte once
#include "cuda/bench/kernels.h"
#include "cuda/primitives/vector_access.h"

namespace headroom::cuda {
namespace {

constexpr int threads = 256, under_way = 4;

// Calls use(index, piece) for this thread's pieces.
template <class Use> __device__ void walk(const Stretch& s, Use use)
{
    const Index step = Index{gridDim.x} * threads;
    for (Index i = Index{blockIdx.x} * threads + threadIdx.x; i < s.pieces; i += under_way * step) {
        uint4 piece[under_way];
#pragma unroll
        for (int n = 0; n < under_way; ++n) {
            const bool there = i + n * step < s.pieces;
            piece[n] = ldg_stream_if(static_cast<const uint4*>(s.from) + (there ? i + n * step : 0), there);
        }
#pragma unroll
        for (int n = 0; n < under_way; ++n)
            if (i + n * step < s.pieces) use(i + n * step, piece[n]);
    }
}

__device__ void copy_pieces(const Stretch& s)
{
    walk(s, [&](Index i, uint4 piece) { st_vec(static_cast<uint4*>(s.to) + i, piece); });
}

__device__ void read_pieces(const Stretch& s)
{
    unsigned all = 0;
    walk(s, [&](Index, uint4 piece) { all ^= piece.x ^ piece.y ^ piece.z ^ piece.w; });
    if (all == 0x12345678)
        st_vec(static_cast<uint4*>(s.to), make_uint4(all, 0, 0, 0)); // so that reading is not left out
}

struct Nothing {
    int unused;
};
__device__ void do_nothing(const Nothing&) {}

} // namespace

KERNEL(bench_ceilings_copy, Stretch, 256, copy_pieces)
KERNEL(bench_ceilings_read, Stretch, 256, read_pieces)
KERNEL(bench_ceilings_nothing, Nothing, 32, do_nothing)

void copy(Executor& executor, const Stretch& s, unsigned blocks)
{
    launch(executor, bench_ceilings_copy_kernel, {.grid = {blocks}, .block = {threads}}, s);
}
void read(Executor& executor, const Stretch& s, unsigned blocks)
{
    launch(executor, bench_ceilings_read_kernel, {.grid = {blocks}, .block = {threads}}, s);
}
void nothing(Executor& executor) { launch(executor, bench_ceilings_nothing_kernel, {.block = {32}}, Nothing{}); }

} // namespace headroom::cuda
