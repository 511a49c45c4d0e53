// Writable memory of four dense axes [blocks, heads, tokens, channels] in any storage type, with its scales: a tensor
// that owns its bytes and a layer of a cache write and copy their rows through this.
#pragma once
#include "reference/tensor/scaling.h"

namespace headroom {

struct StoredRows {
    StoredView view; // reads the same memory
    std::byte* data = nullptr;
    float* scales = nullptr;
    Scaling scaling = Scaling::none;

    Index row_bytes() const { return view.extent[3] * byte_size(view.type); }
    Index bytes_per_token() const; // all heads, with the scales that belong to this token alone
    void write(Index i0, Index i1, Index i2, std::span<const double> row) const; // sets the row's scale too

    // `rows` tokens of all heads, from one block to another; the two memories differ or the ranges do not overlap.
    void copy(const StoredRows& from, Index from0, Index from2, Index to0, Index to2, Index rows) const;
};

StoredRows stored_rows(const Shape& shape, DType type, Scaling scaling, std::byte* data, float* scales);

} // namespace headroom
