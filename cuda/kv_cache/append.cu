// Append: new keys or values to their places behind the tokens that a cache holds.
//   grid       (new tokens, Hkv, B)      block  128 threads, 4 bytes each at a time
//   reads      each new row once, and one table entry per row if paged; old tokens are not touched
//   limits     rows of a multiple of 4 bytes
#include "cuda/kv_cache/cache_kernels.h"
#include "cuda/kv_cache/place.h"
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {
namespace {

__device__ void copy_row(const NewRows& n)
{
    const Index row = (Index{blockIdx.z} * n.Hkv + blockIdx.y) * n.new_tokens + blockIdx.x;
    const Index row_bytes = n.D * n.part.byte_stride[3];
    const unsigned* from = reinterpret_cast<const unsigned*>(static_cast<const std::byte*>(n.rows) + row * row_bytes);
    unsigned* to = reinterpret_cast<unsigned*>(place_of_new(n).row);
    for (Index i = threadIdx.x; i < row_bytes / 4; i += 128) to[i] = from[i];
}

} // namespace

KERNEL(kv_cache_append, NewRows, 128, copy_row)

void append(Executor& executor, const NewRows& n)
{
    if (n.new_tokens == 0) return;
    if (n.D * n.part.byte_stride[3] % 4 != 0) throw std::invalid_argument("append wants rows of a multiple of 4 bytes");
    const auto count = [](int each) { return static_cast<unsigned>(each); };
    launch(executor, kv_cache_append_kernel, {.grid = {count(n.new_tokens), count(n.Hkv), count(n.B)}, .block = {128}},
           n);
}

} // namespace headroom::cuda
