#include "reference/parallel/linear.h"

#include "reference/parallel/instruction_sets.h"
#include "reference/parallel/row_states.h"
#include "reference/parallel/row_tile.h"
#include "reference/parallel/thread_pool.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace parallel {
namespace {

constexpr Index few_rows = 8;             // of x: then each weight is read once, where it lies
constexpr Index rows_at_once = 384;       // of x, else: their products with a tile of weights stay in the cache
constexpr Index columns_at_once = 256;    // of a tile of weights that is turned round
constexpr Index worth_a_thread = 1 << 18; // multiply-adds

class Product {
public:
    Product(const float* x, Index rows, const StoredView& w, float* y, const Kernels& kernels)
        : w_(w), y_(y), kernels_(kernels), rows_(rows), in_(w.extent[3]), out_(w.extent[2]),
          width_(rounded_up(in_, kernels.lanes)), padded_(width_ == in_ ? 0 : rows * width_),
          x_(width_ == in_ ? x : padded_.data())
    {
        for (Index t = 0; t < rows && width_ != in_; ++t) std::copy_n(x + t * in_, in_, padded_.data() + t * width_);
    }

    Index tiles() const { return (out_ + tile_keys - 1) / tile_keys; }

    // y [:, the tile's rows of W]
    void compute(Index tile) const
    {
        const void* row[tile_keys];
        const Index first = tile * tile_keys, count = std::min(tile_keys, out_ - first);
        const Index padded = width_ == in_ ? 0 : tile_keys * width_;
        const Index product = std::min(rows_, rows_at_once) * tile_keys;
        thread_local FloatBuffer memory;
        thread_local Index floats = 0;
        if (const Index needed = padded + product + columns_at_once * tile_keys; floats < needed)
            memory = FloatBuffer(needed), floats = needed;
        float *const copies = memory.data() + product + columns_at_once * tile_keys, *const turned =
                                                                                         memory.data() + product;

        // Where the weights' rows lie, and for widths that fill no vector a copy.
        for (Index n = 0; n < count; ++n) {
            const auto* from = reinterpret_cast<const float*>(w_.data + (first + n) * in_ * 4);
            row[n] = from;
            if (!padded) continue;
            float* const to = copies + n * width_;
            std::fill(std::copy_n(from, in_, to), to + width_, 0.0f);
            row[n] = to;
        }
        rows_ <= few_rows ? few(row, first, count, memory.data()) : many(row, first, count, turned, memory.data());
    }

private:
    void few(const void* const* row, Index first, Index count, float* product) const
    {
        const Index bytes = width_ * Index{sizeof(float)};
        const StoredRows weights{.first = row[0], .stride = bytes, .ahead = rows_ahead(bytes, bytes)};
        kernels_.dot(Stored::f32, weights, count, x_, rows_, width_, product);
        keep(product, 0, rows_, first, count);
    }

    void many(const void** row, Index first, Index count, float* turned, float* product) const
    {
        for (Index t = 0; t < rows_; t += rows_at_once) {
            const Index rows = std::min(rows_at_once, rows_ - t);
            for (Index column = 0; column < width_; column += columns_at_once) {
                const Index columns = std::min(columns_at_once, width_ - column);
                const void* part[tile_keys];
                for (Index n = 0; n < count; ++n) part[n] = static_cast<const float*>(row[n]) + column;
                kernels_.transpose(Stored::f32, part, count, columns, turned, tile_keys);
                kernels_.product(x_ + t * width_ + column, width_, turned, tile_keys, product, tile_keys, rows,
                                 tile_keys, columns, column > 0, {});
            }
            keep(product, t, rows, first, count);
        }
    }

    void keep(const float* product, Index t, Index rows, Index first, Index count) const
    {
        for (Index r = 0; r < rows; ++r) std::copy_n(product + r * tile_keys, count, y_ + (t + r) * out_ + first);
    }

    const StoredView& w_;
    float* y_;
    const Kernels& kernels_;
    Index rows_, in_, out_, width_; // width: in, rounded up to whole vectors
    FloatBuffer padded_;            // [T, width]: x with 0 behind its columns, if in is no multiple of a vector
    const float* x_;                // [T, width]
};

} // namespace
} // namespace parallel

void parallel_linear(std::span<const float> x, const StoredView& w, std::span<float> y, const ParallelOptions& options)
{
    const Index out = w.extent[2], in = w.extent[3], T = static_cast<Index>(x.size()) / std::max<Index>(in, 1);
    if (w.type != DType::f32 || static_cast<Index>(x.size()) != T * in || static_cast<Index>(y.size()) != T * out)
        throw std::invalid_argument("linear: a matrix of f32 " + to_text({out, in}) + " cannot turn " +
                                    std::to_string(x.size()) + " numbers into " + std::to_string(y.size()));
    if (T == 0) return;
    const parallel::Product product(x.data(), T, w, y.data(), parallel::kernels(options.instruction_set));
    if (T * out * in < parallel::worth_a_thread)
        for (Index tile = 0; tile < product.tiles(); ++tile) product.compute(tile);
    else
        parallel::thread_pool(options.threads).run(product.tiles(), [&](Index tile, int) { product.compute(tile); });
}

void parallel_linear(const Tensor& x, const StoredView& w, Tensor& y, const ParallelOptions& options)
{
    if (x.extent(1) != w.extent[3] || y.shape() != Shape{x.extent(0), w.extent[2]})
        throw std::invalid_argument("linear: a matrix " + to_text({w.extent[2], w.extent[3]}) + " cannot turn " +
                                    to_text(x.shape()) + " into " + to_text(y.shape()));
    std::vector<float> from(x.values().size()), to(y.values().size());
    std::ranges::transform(x.values(), from.begin(), [](double value) { return static_cast<float>(value); });
    parallel_linear(from, w, to, options);
    std::ranges::copy(to, y.values().begin());
}

} // namespace headroom
