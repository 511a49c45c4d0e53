#include "reference/tensor/stored_view.h"

#include "reference/tensor/stored_row.h"
#include <stdexcept>

namespace headroom {

StoredView dense_view(const std::byte* data, const Shape& shape, DType type)
{
    if (shape.size() > 4) throw std::invalid_argument("shape " + to_text(shape) + " has more than four axes");
    StoredView v;
    v.data = data;
    v.type = type;
    Index stride = byte_size(type);
    auto from = shape.rbegin();
    for (int axis = 3; axis >= 0; --axis) {
        v.extent[axis] = from != shape.rend() ? *from++ : 1;
        v.byte_stride[axis] = stride;
        stride *= v.extent[axis];
    }
    return v;
}

StoredView view(const Tensor& tensor)
{
    return dense_view(reinterpret_cast<const std::byte*>(tensor.values().data()), tensor.shape(), DType::f64);
}

Index byte_offset(const StoredView& v, Index i0, Index i1, Index i2, Index i3)
{
    return i0 * v.byte_stride[0] + i1 * v.byte_stride[1] + i2 * v.byte_stride[2] + i3 * v.byte_stride[3];
}

Index scale_offset(const StoredView& v, Index i0, Index i1, Index i2, Index i3)
{
    return i0 * v.scale_stride[0] + i1 * v.scale_stride[1] + i2 * v.scale_stride[2] + i3 * v.scale_stride[3];
}

double value(const StoredView& v, Index i0, Index i1, Index i2, Index i3)
{
    const double stored = decode(v.type, v.data + byte_offset(v, i0, i1, i2, i3));
    return v.scale ? stored * static_cast<double>(v.scale[scale_offset(v, i0, i1, i2, i3)]) : stored;
}

void read_row(const StoredView& v, Index i0, Index i1, Index i2, std::span<double> row)
{
    decode_row(v.type, v.data + byte_offset(v, i0, i1, i2), v.byte_stride[3], row);
    if (!v.scale) return;
    const float* scale = v.scale + scale_offset(v, i0, i1, i2);
    for (double& x : row) {
        x *= static_cast<double>(*scale);
        scale += v.scale_stride[3];
    }
}

} // namespace headroom
