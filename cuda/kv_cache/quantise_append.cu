// Quantise-append: new keys or values become int8 on their way into the cache, with a scale per token and head.
//   grid       (new tokens, Hkv, B)      block  32: a warp finds the largest number of its row, then writes codes
//   reads      each new row of floats twice, the second time from cache; writes a quarter of that, and one scale
//   limits     int8, symmetric; a row of zeros has scale 1, one with a NaN or an infinity scale NaN: it reads as NaN
#include "cuda/kv_cache/cache_kernels.h"
#include "cuda/kv_cache/place.h"
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {
namespace {

__device__ void quantise_row(const NewRows& n)
{
    const Index row = (Index{blockIdx.z} * n.Hkv + blockIdx.y) * n.new_tokens + blockIdx.x;
    const float* from = static_cast<const float*>(n.rows) + row * n.D;
    float largest = 0;
    bool finite = true;
    for (int d = static_cast<int>(threadIdx.x); d < n.D; d += 32) {
        largest = fmaxf(largest, fabsf(from[d])); // drops a NaN
        finite = finite && fabsf(from[d]) < INFINITY;
    }
    for (int step = 16; step; step >>= 1) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));

    const float fitting = largest > 0 ? largest / 127 : 1;
    const float scale = __all_sync(~0u, finite) ? fitting : NAN;
    const NewPlace to = place_of_new(n);
    signed char* codes = reinterpret_cast<signed char*>(to.row);
    for (int d = static_cast<int>(threadIdx.x); d < n.D; d += 32)
        codes[d] = static_cast<signed char>(fminf(127, fmaxf(-127, rintf(from[d] / scale))));
    if (threadIdx.x == 0) const_cast<float*>(n.part.scale)[to.scale] = scale;
}

} // namespace

KERNEL(kv_cache_quantise_append, NewRows, 32, quantise_row)

void quantise_append(Executor& executor, const NewRows& n)
{
    if (n.new_tokens == 0) return;
    if (n.part.type != DType::i8 || !n.part.scale)
        throw std::invalid_argument("quantise_append wants an int8 cache with scales");
    const auto count = [](int each) { return static_cast<unsigned>(each); };
    launch(executor, kv_cache_quantise_append_kernel,
           {.grid = {count(n.new_tokens), count(n.Hkv), count(n.B)}, .block = {32}}, n);
}

} // namespace headroom::cuda
