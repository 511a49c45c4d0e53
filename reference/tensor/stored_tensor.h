// A tensor in any storage type that owns its bytes and, for 8-bit types, its scales.
#pragma once
#include "reference/tensor/scaling.h"
#include "reference/tensor/stored_view.h"

namespace headroom {

class StoredTensor { // movable, not copyable
public:
    StoredTensor() = default;
    StoredTensor(Shape shape, DType type, Scaling scaling = Scaling::none); // zeros; scales 1
    StoredTensor(StoredTensor&&) noexcept = default;
    StoredTensor& operator=(StoredTensor&&) noexcept = default;

    const Shape& shape() const { return shape_; }
    DType type() const { return type_; }
    bool empty() const { return shape_.empty() && bytes_.empty(); } // a scalar has no axes, and one number
    std::span<std::byte> bytes() { return bytes_; }
    std::span<const std::byte> bytes() const { return bytes_; }
    std::span<float> scales() { return scales_; } // set static ones before the rows that use them
    std::span<const float> scales() const { return scales_; }
    StoredView view() const;
    void write_row(Index i0, Index i1, Index i2, std::span<const double> row); // sets a scale per head and token too

private:
    Shape shape_;
    DType type_ = DType::f64;
    Scaling scaling_ = Scaling::none;
    std::vector<std::byte> bytes_;
    std::vector<float> scales_;
};

Tensor load(const StoredView& view);     // [d0, d1, d2, d3]
Tensor load(const StoredTensor& tensor); // the tensor's own shape, any rank
StoredTensor store(const Tensor& tensor, DType type, Scaling scaling = Scaling::none); // static scales from the tensor

} // namespace headroom
