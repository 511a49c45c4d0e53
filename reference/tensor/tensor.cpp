#include "reference/tensor/tensor.h"

#include <stdexcept>
#include <utility>

namespace headroom {

Index count(const Shape& shape)
{
    Index product = 1;
    for (const Index extent : shape)
        if (extent < 0 || __builtin_mul_overflow(product, extent, &product))
            throw std::invalid_argument("shape " + to_text(shape) + " has a negative extent or too many elements");
    return product;
}

std::string to_text(const Shape& shape)
{
    std::string text = "[";
    for (const Index extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + "]";
}

Tensor::Tensor(Shape shape, double value)
    : shape_(std::move(shape)), values_(static_cast<std::size_t>(count(shape_)), value)
{}

Tensor::Tensor(Shape shape, std::vector<double> values) : shape_(std::move(shape)), values_(std::move(values))
{
    if (count(shape_) != static_cast<Index>(values_.size()))
        throw std::invalid_argument(std::to_string(values_.size()) + " values do not fill shape " + to_text(shape_));
}

} // namespace headroom
