#include "reference/tensor/stored_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

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

} // namespace

double value(const StoredView& v, Index i0, Index i1, Index i2, Index i3)
{
    const double stored = decode(v.type, v.data + i0 * v.byte_stride[0] + i1 * v.byte_stride[1] +
                                             i2 * v.byte_stride[2] + i3 * v.byte_stride[3]);
    if (!v.scale) return stored;
    return stored * static_cast<double>(v.scale[i0 * v.scale_stride[0] + i1 * v.scale_stride[1] +
                                                i2 * v.scale_stride[2] + i3 * v.scale_stride[3]]);
}

StoredView view(const Tensor& tensor)
{
    return dense_view(reinterpret_cast<const std::byte*>(tensor.values().data()), tensor.shape(), DType::f64);
}

StoredTensor::StoredTensor(Shape shape, DType type, Scaling scaling, ByteMeter* meter)
    : shape_(std::move(shape)), type_(type), scaling_(scaling),
      bytes_(static_cast<std::size_t>(count(shape_) * byte_size(type))), meter_(meter)
{
    if (scaling == Scaling::per_head_and_token)
        scales_.assign(static_cast<std::size_t>(count(shape_) / shape_.back()), 1.0f);
    if (meter_) meter_->allocate(total_bytes());
}

StoredTensor::StoredTensor(StoredTensor&& from) noexcept
    : shape_(std::move(from.shape_)), type_(from.type_), scaling_(from.scaling_), bytes_(std::move(from.bytes_)),
      scales_(std::move(from.scales_)), meter_(std::exchange(from.meter_, nullptr))
{}

StoredTensor& StoredTensor::operator=(StoredTensor&& from) noexcept
{
    if (this == &from) return *this;
    give_back();
    shape_ = std::move(from.shape_);
    type_ = from.type_;
    scaling_ = from.scaling_;
    bytes_ = std::move(from.bytes_);
    scales_ = std::move(from.scales_);
    meter_ = std::exchange(from.meter_, nullptr);
    return *this;
}

StoredTensor::~StoredTensor() { give_back(); }

void StoredTensor::give_back() noexcept
{
    if (meter_) meter_->release(total_bytes());
}

StoredView StoredTensor::view() const
{
    StoredView v = dense_view(bytes_.data(), shape_, type_);
    if (scaling_ == Scaling::per_head_and_token) {
        v.scale = scales_.data();
        v.scale_stride[2] = 1;
        v.scale_stride[1] = v.extent[2];
        v.scale_stride[0] = v.extent[1] * v.extent[2];
    }
    return v;
}

void StoredTensor::write_row(Index i0, Index i1, Index i2, std::span<const double> row)
{
    const Index at = (i0 * shape_[1] + i1) * shape_[2] + i2;
    double scale = 1;
    if (!scales_.empty()) {
        double largest = 0;
        for (const double x : row) largest = std::max(largest, std::fabs(x));
        const double limit = type_ == DType::f8e4m3 ? 448 : 127;
        if (largest > 0) scale = static_cast<double>(static_cast<float>(largest / limit));
        scales_[static_cast<std::size_t>(at)] = static_cast<float>(scale);
    }
    std::byte* to = bytes_.data() + at * shape_[3] * byte_size(type_);
    for (const double x : row) {
        encode(type_, x / scale, to);
        to += byte_size(type_);
    }
}

void StoredTensor::copy_row(const StoredTensor& from, Index from0, Index from2, Index to0, Index to2)
{
    const Index row_bytes = shape_[3] * byte_size(type_);
    for (Index h = 0; h < shape_[1]; ++h) {
        const Index source = (from0 * from.shape_[1] + h) * from.shape_[2] + from2;
        const Index target = (to0 * shape_[1] + h) * shape_[2] + to2;
        std::memmove(bytes_.data() + target * row_bytes, from.bytes_.data() + source * row_bytes,
                     static_cast<std::size_t>(row_bytes));
        if (!scales_.empty())
            scales_[static_cast<std::size_t>(target)] = from.scales_[static_cast<std::size_t>(source)];
        if (meter_) meter_->copied += row_bytes + (scales_.empty() ? 0 : static_cast<Index>(sizeof(float)));
    }
}

Tensor load(const StoredView& v)
{
    Tensor t({v.extent[0], v.extent[1], v.extent[2], v.extent[3]});
    auto to = t.values().begin();
    for (Index i0 = 0; i0 < v.extent[0]; ++i0)
        for (Index i1 = 0; i1 < v.extent[1]; ++i1)
            for (Index i2 = 0; i2 < v.extent[2]; ++i2)
                for (Index i3 = 0; i3 < v.extent[3]; ++i3) *to++ = value(v, i0, i1, i2, i3);
    return t;
}

Tensor load(const StoredTensor& stored)
{
    if (stored.shape().size() <= 4 && stored.view().scale) {
        const Tensor four = load(stored.view());
        return Tensor(stored.shape(), std::vector<double>(four.values().begin(), four.values().end()));
    }
    Tensor t(stored.shape());
    const std::byte* from = stored.bytes().data();
    for (double& x : t.values()) {
        x = decode(stored.type(), from);
        from += byte_size(stored.type());
    }
    return t;
}

StoredTensor store(const Tensor& tensor, DType type, Scaling scaling)
{
    StoredTensor stored(tensor.shape(), type, scaling);
    if (scaling == Scaling::none) {
        std::byte* to = stored.bytes().data();
        for (const double x : tensor.values()) {
            encode(type, x, to);
            to += byte_size(type);
        }
        return stored;
    }
    for (Index i0 = 0; i0 < tensor.extent(0); ++i0)
        for (Index i1 = 0; i1 < tensor.extent(1); ++i1)
            for (Index i2 = 0; i2 < tensor.extent(2); ++i2) stored.write_row(i0, i1, i2, tensor.row(i0, i1, i2));
    return stored;
}

} // namespace headroom
