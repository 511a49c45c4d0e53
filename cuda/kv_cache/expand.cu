// Expand (repeat_interleave): copies every KV head group_size times, for kernels that know no groups. The slow way: what
// grouping saved is written and read again.
//   grid       (head_bytes / 2048, Hkv * group_size, B)      block  128 threads, 16 bytes each
//   reads      K and V group_size times, and writes as much
//   limits     head_bytes a multiple of 16
#include "cuda/kv_cache/cache_kernels.h"
#include "cuda/primitives/vector_access.h"

namespace headroom::cuda {
namespace {

__device__ void copy_head(const Expansion& e)
{
    const Index at = 16 * (Index{blockIdx.x} * 128 + threadIdx.x);
    if (at >= e.head_bytes) return;
    const Index h = blockIdx.y, H = Index{e.Hkv} * e.group_size, b = blockIdx.z;
    const std::byte* from = e.from + (b * e.Hkv + h / e.group_size) * e.head_bytes; // h / group_size, never h % Hkv
    st_vec(e.to + (b * H + h) * e.head_bytes + at, ld_vec<uint4>(from + at));
}

} // namespace

KERNEL(kv_cache_expand, Expansion, 128, copy_head)

void expand(Executor& executor, const Expansion& e)
{
    if (e.head_bytes == 0) return;
    if (e.head_bytes % 16 != 0) throw std::invalid_argument("expand copies 16 bytes at a time");
    const unsigned pieces = static_cast<unsigned>((e.head_bytes + 2047) / 2048);
    launch(executor, kv_cache_expand_kernel,
           {.grid = {pieces, static_cast<unsigned>(e.Hkv * e.group_size), static_cast<unsigned>(e.B)}, .block = {128}},
           e);
}

} // namespace headroom::cuda
