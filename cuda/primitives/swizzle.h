// Where 16-byte chunk c of row r of a tile lies in shared memory: the chunks of a row change places with r, so that the
// same chunk of eight neighbouring rows, which is what ldmatrix reads at once, lies in eight different groups of banks.
#pragma once
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {

template <int row_bytes> struct Swizzled {
    static constexpr int chunks = row_bytes / 16;
    static_assert(chunks >= 4);
    PRIMITIVE static int at(int row, int chunk)
    {
        const int turn = chunks >= 8 ? row & 7 : row >> 1 & 3;
        return row * row_bytes + ((chunk ^ turn) << 4);
    }
};

} // namespace headroom::cuda
