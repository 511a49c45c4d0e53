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

double value(const StoredView& view, Index i0, Index i1, Index i2, Index i3);
StoredView view(const Tensor& tensor); // leading axes of extent 1 fill up to four

// Told of every allocation, so that a cache's byte counts are what really happened.
struct ByteMeter {
    Index reserved = 0, peak = 0, copied = 0, allocations = 0;
    void allocate(Index bytes)
    {
        reserved += bytes;
        ++allocations;
        peak = reserved > peak ? reserved : peak;
    }
    void release(Index bytes) { reserved -= bytes; }
};

enum class Scaling : std::uint8_t { none, per_tensor, per_head, per_head_and_token, per_channel };

class StoredTensor { // owns bytes and scales; movable, not copyable
public:
    StoredTensor() = default;
    StoredTensor(Shape shape, DType type, Scaling scaling = Scaling::none, ByteMeter* meter = nullptr);
    StoredTensor(StoredTensor&&) noexcept;
    StoredTensor& operator=(StoredTensor&&) noexcept;
    ~StoredTensor();

    const Shape& shape() const { return shape_; }
    DType type() const { return type_; }
    bool empty() const { return shape_.empty(); }
    std::span<std::byte> bytes() { return bytes_; }
    std::span<const std::byte> bytes() const { return bytes_; }
    StoredView view() const;
    void write_row(Index i0, Index i1, Index i2, std::span<const double> row);               // sets the row's scale too
    void copy_row(const StoredTensor& from, Index from0, Index from2, Index to0, Index to2); // all heads of one token

private:
    Index total_bytes() const { return static_cast<Index>(bytes_.size() + sizeof(float) * scales_.size()); }
    void give_back() noexcept;
    Shape shape_;
    DType type_ = DType::f64;
    Scaling scaling_ = Scaling::none;
    std::vector<std::byte> bytes_;
    std::vector<float> scales_;
    ByteMeter* meter_ = nullptr;
};

Tensor load(const StoredView& view);     // [d0, d1, d2, d3]
Tensor load(const StoredTensor& tensor); // the tensor's own shape, any rank
StoredTensor store(const Tensor& tensor, DType type, Scaling scaling = Scaling::none);

} // namespace headroom
