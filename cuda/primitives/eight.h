// Eight neighbouring numbers of a row at once: 16 bytes of a 16-bit type, twice 16 bytes of float.
//
//     chunk c of `chunks`     f16, bf16: features 8c … 8c+7
//                             f32:       features 4c … 4c+3 and 4(chunks + c) … 4(chunks + c)+3
// so that in either case neighbouring lanes read neighbouring 16 bytes.
#pragma once
#include "cuda/primitives/cuda.h"
#include "cuda/primitives/vector_access.h"
#include <cstring>

namespace headroom::cuda {

struct Eight {
    float x[8];
};

template <class T> __device__ inline int feature(int chunk, int chunks, int e)
{
    if constexpr (sizeof(T) == 4) return e < 4 ? 4 * chunk + e : 4 * (chunks + chunk) + e - 4;
    return 8 * chunk + e;
}

template <class T> __device__ inline float number(unsigned word, int high) // one of two 16-bit numbers
{
    const std::uint16_t bits = static_cast<std::uint16_t>(word >> (16 * high));
    T x;
    memcpy(&x, &bits, sizeof x);
    return static_cast<float>(x);
}

// Zero where `ok` is false or the row, `width` numbers long, has ended.
template <class T> __device__ inline Eight load_eight(const T* row, int chunk, int chunks, int width, bool ok)
{
    Eight r{};
    if constexpr (sizeof(T) == 4) {
        for (int n = 0; n < 2; ++n) {
            const int d = feature<T>(chunk, chunks, 4 * n);
            const uint4 w = ldg_stream_if(row + d, ok && d < width);
            const unsigned words[4] = {w.x, w.y, w.z, w.w};
            for (int e = 0; e < 4; ++e) r.x[4 * n + e] = __uint_as_float(words[e]);
        }
    } else {
        const uint4 w = ldg_stream_if(row + 8 * chunk, ok && 8 * chunk < width);
        const unsigned words[4] = {w.x, w.y, w.z, w.w};
        for (int e = 0; e < 8; ++e) r.x[e] = number<T>(words[e / 2], e & 1);
    }
    return r;
}

} // namespace headroom::cuda
