// The numbers we calculate with: a dense row-major array of double, into which every stored type embeds exactly.
#pragma once
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace headroom {

using Index = std::int64_t;
using Shape = std::vector<Index>;

Index count(const Shape& shape);         // throws std::invalid_argument on a negative extent or on overflow
std::string to_text(const Shape& shape); // "[2, 8, 1, 64]"

class Tensor {
public:
    Tensor() = default; // empty: a stage that was not kept
    explicit Tensor(Shape shape, double value = 0.0);
    Tensor(Shape shape, std::vector<double> values); // row-major; throws unless there are count(shape) of them

    const Shape& shape() const { return shape_; }
    Index extent(int axis) const { return shape_.at(static_cast<std::size_t>(axis)); }
    bool empty() const { return shape_.empty() && values_.empty(); } // a scalar has no axes, and one number
    std::span<double> values() { return values_; }
    std::span<const double> values() const { return values_; }

    template <class... I> double& operator()(I... index) { return values_[offset({static_cast<Index>(index)...})]; }
    template <class... I> double operator()(I... index) const
    {
        return values_[offset({static_cast<Index>(index)...})];
    }

    // The last axis at these leading indices: one query, one key, one row of scores.
    template <class... I> std::span<double> row(I... index)
    {
        return std::span(values_).subspan(row_offset({static_cast<Index>(index)...}), row_length());
    }
    template <class... I> std::span<const double> row(I... index) const
    {
        return std::span(values_).subspan(row_offset({static_cast<Index>(index)...}), row_length());
    }

private:
    std::size_t offset(std::initializer_list<Index> index) const
    {
        assert(index.size() == shape_.size());
        return flat(index);
    }
    std::size_t row_offset(std::initializer_list<Index> index) const
    {
        assert(index.size() + 1 == shape_.size());
        return flat(index) * row_length();
    }
    std::size_t row_length() const { return static_cast<std::size_t>(shape_.back()); }
    std::size_t flat(std::initializer_list<Index> index) const
    {
        Index at = 0;
        std::size_t axis = 0;
        for (const Index i : index) {
            assert(0 <= i && i < shape_[axis]);
            at = at * shape_[axis++] + i;
        }
        return static_cast<std::size_t>(at);
    }
    Shape shape_;
    std::vector<double> values_;
};

} // namespace headroom
