// Numbers as they lie in memory: bytes of one type, with strides and, for 8-bit types, scales.
#pragma once
#include "reference/tensor/dtype.h"

namespace headroom {

// Four axes of somebody else's memory. Trivially copyable: kernels receive it by value.
//     value(i0,i1,i2,i3) = decode(data + sum i*byte_stride) * scale[sum i*scale_stride]
// A scale per tensor, per head, per head and token or per channel differs only in which scale strides are 0.
struct StoredView {
    const std::byte* data = nullptr;
    Index extent[4] = {};
    Index byte_stride[4] = {};
    const float* scale = nullptr; // null: 1
    Index scale_stride[4] = {};
    DType type = DType::f64;
};

StoredView dense_view(const std::byte* data, const Shape& shape,
                      DType type); // leading axes of extent 1 fill up to four
StoredView view(const Tensor& tensor);

Index byte_offset(const StoredView& view, Index i0, Index i1, Index i2, Index i3 = 0);
Index scale_offset(const StoredView& view, Index i0, Index i1, Index i2, Index i3 = 0);
double value(const StoredView& view, Index i0, Index i1, Index i2, Index i3);
void read_row(const StoredView& view, Index i0, Index i1, Index i2, std::span<double> row); // the whole last axis

} // namespace headroom
