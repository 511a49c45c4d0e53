#include "reference/tensor/stored_rows.h"

#include "reference/tensor/stored_row.h"
#include <cstring>

namespace headroom {

StoredRows stored_rows(const Shape& shape, DType type, Scaling scaling, std::byte* data, float* scales)
{
    StoredRows all{.view = dense_view(data, shape, type), .data = data, .scaling = scaling};
    if (scaling != Scaling::none) all.scales = scales;
    attach_scales(all.view, scales, scaling);
    return all;
}

Index StoredRows::bytes_per_token() const
{
    const Index scale = scaling == Scaling::per_head_and_token ? Index{sizeof(float)} : 0;
    return view.extent[1] * (row_bytes() + scale);
}

void StoredRows::write(Index i0, Index i1, Index i2, std::span<const double> row) const
{
    float* const scale = scales ? scales + scale_offset(view, i0, i1, i2) : nullptr;
    if (scaling == Scaling::per_head_and_token) *scale = scale_for(view.type, row);
    encode_row(view.type, row, scale, view.scale_stride[3], data + byte_offset(view, i0, i1, i2));
}

void StoredRows::copy(const StoredRows& from, Index from0, Index from2, Index to0, Index to2, Index rows) const
{
    for (Index head = 0; head < view.extent[1]; ++head) {
        std::memcpy(data + byte_offset(view, to0, head, to2), from.data + byte_offset(from.view, from0, head, from2),
                    static_cast<std::size_t>(rows * row_bytes()));
        if (scaling == Scaling::per_head_and_token)
            std::memcpy(scales + scale_offset(view, to0, head, to2),
                        from.scales + scale_offset(from.view, from0, head, from2),
                        static_cast<std::size_t>(rows) * sizeof(float));
    }
}

} // namespace headroom
