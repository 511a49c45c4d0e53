#include "reference/tensor/stored_tensor.h"

#include "reference/tensor/stored_row.h"
#include "reference/tensor/stored_rows.h"
#include <algorithm>
#include <stdexcept>
#include <utility>

namespace headroom {

StoredTensor::StoredTensor(Shape shape, DType type, Scaling scaling)
    : shape_(std::move(shape)), type_(type), scaling_(scaling),
      bytes_(static_cast<std::size_t>(count(shape_) * byte_size(type)))
{
    if (scaling == Scaling::none) return;
    if (shape_.size() != 4)
        throw std::invalid_argument("a tensor with scales has four axes, not shape " + to_text(shape_));
    scales_.assign(static_cast<std::size_t>(scale_count(scaling, shape_)), 1.0f);
}

StoredView StoredTensor::view() const
{
    StoredView v = dense_view(bytes_.data(), shape_, type_);
    attach_scales(v, scales_.data(), scaling_);
    return v;
}

void StoredTensor::write_row(Index i0, Index i1, Index i2, std::span<const double> row)
{
    stored_rows(shape_, type_, scaling_, bytes_.data(), scales_.data()).write(i0, i1, i2, row);
}

Tensor load(const StoredView& v)
{
    Tensor t({v.extent[0], v.extent[1], v.extent[2], v.extent[3]});
    for (Index i0 = 0; i0 < v.extent[0]; ++i0)
        for (Index i1 = 0; i1 < v.extent[1]; ++i1)
            for (Index i2 = 0; i2 < v.extent[2]; ++i2) read_row(v, i0, i1, i2, t.row(i0, i1, i2));
    return t;
}

Tensor load(const StoredTensor& stored)
{
    Tensor t(stored.shape());
    if (stored.scales().empty()) {
        decode_row(stored.type(), stored.bytes().data(), byte_size(stored.type()), t.values());
    } else {
        const Tensor four = load(stored.view());
        std::ranges::copy(four.values(), t.values().begin());
    }
    return t;
}

StoredTensor store(const Tensor& tensor, DType type, Scaling scaling)
{
    StoredTensor stored(tensor.shape(), type, scaling);
    if (scaling == Scaling::none) {
        encode_row(type, tensor.values(), nullptr, 0, stored.bytes().data());
        return stored;
    }
    if (scaling != Scaling::per_head_and_token)
        std::ranges::copy(calibrate(tensor, type, scaling), stored.scales().begin());
    for (Index i0 = 0; i0 < tensor.extent(0); ++i0)
        for (Index i1 = 0; i1 < tensor.extent(1); ++i1)
            for (Index i2 = 0; i2 < tensor.extent(2); ++i2) stored.write_row(i0, i1, i2, tensor.row(i0, i1, i2));
    return stored;
}

} // namespace headroom
