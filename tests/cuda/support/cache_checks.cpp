#include "tests/cuda/support/cache_checks.h"

#include "cuda/kv_cache/cache_kernels.h"
#include "reference/tensor/random.h"
#include "reference/tensor/stored_tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace headroom::cuda {
namespace {

std::vector<float> numbers(std::size_t n)
{
    Random random(3);
    std::vector<float> list(n);
    for (float& x : list) x = static_cast<float>(random.uniform(-4, 4));
    return list;
}
std::size_t at(Index n) { return static_cast<std::size_t>(n); }

// New rows stand behind the old ones, through a table or not, and nothing else is written.
std::string wrong_with_append(Executor& executor, bool paged, int D)
{
    constexpr int B = 2, Hkv = 2, fresh = 3;
    const std::vector<float> rows = numbers(at(B * Hkv * fresh * D));
    const std::vector<Index> lengths{3, 0};
    const Index slots = paged ? 4 : 8, blocks = paged ? 5 : B;
    const std::vector<std::int32_t> table{4, 0, 2, 1};
    const StoredTensor shape({blocks, Hkv, slots, D}, DType::f32);
    Buffer<float> cache(executor, at(blocks * Hkv * slots * D), "cache");
    Buffer<float> from(executor, std::span<const float>(rows), "rows");
    Buffer<Index> length(executor, std::span<const Index>(lengths), "length");
    Buffer<std::int32_t> blocks_of(executor, std::span<const std::int32_t>(table), "table");
    NewRows n{from.data(), shape.view(), length.data(), paged ? blocks_of.data() : nullptr, 2, B, Hkv, fresh, D};
    n.part.data = reinterpret_cast<const std::byte*>(cache.data());
    append(executor, n);
    const std::vector<float> stored = cache.read();
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hkv; ++h)
            for (Index i = 0; i < fresh; ++i) {
                const Index j = lengths[at(b)] + i, block = paged ? table[at(b * 2 + j / slots)] : b;
                for (Index d = 0; d < D; ++d)
                    if (stored[at(((block * Hkv + h) * slots + j % slots) * D + d)] !=
                        rows[at(((b * Hkv + h) * fresh + i) * D + d)])
                        return "a new row is not at its place";
            }
    const auto written = std::ranges::count_if(stored, [](float x) { return !std::isnan(x); });
    return at(written) == rows.size() ? "" : "more is written than the new rows";
}

// Codes and scales as the reference has them; a code is the number nearest to x / scale.
std::string wrong_with_quantise_append(Executor& executor)
{
    constexpr int Hkv = 2, D = 37, fresh = 4;
    std::vector<float> rows = numbers(Hkv * fresh * D);
    std::fill_n(rows.begin(), D, 0.0f); // a row of zeros
    rows[2 * D + 5] = std::numeric_limits<float>::quiet_NaN(),
                 rows[3 * D + 36] = -std::numeric_limits<float>::infinity();
    StoredTensor expected({1, Hkv, 8, D}, DType::i8, Scaling::per_head_and_token);
    for (Index h = 0; h < Hkv; ++h)
        for (Index i = 0; i < fresh; ++i) {
            const auto row = rows.begin() + (h * fresh + i) * D;
            expected.write_row(0, h, 2 + i, std::vector<double>(row, row + D));
        }
    Buffer<std::byte> codes(executor, at(Hkv * 8 * D), "codes");
    Buffer<float> scales(executor, at(Hkv * 8), "scales"), from(executor, std::span<const float>(rows), "rows");
    Buffer<Index> length(executor, std::vector<Index>{2}, "length");
    NewRows n{from.data(), expected.view(), length.data(), nullptr, 0, 1, Hkv, fresh, D};
    n.part.data = codes.data(), n.part.scale = scales.data();
    quantise_append(executor, n);
    const std::vector<std::byte> got = codes.read();
    const std::vector<float> got_scales = scales.read();
    for (Index h = 0; h < Hkv; ++h)
        for (Index i = 0; i < fresh; ++i) {
            const double scale = double{got_scales[at(h * 8 + 2 + i)]}, right = expected.view().scale[h * 8 + 2 + i];
            if (std::isnan(right) && !std::isnan(scale)) return "a number that is not finite is hidden";
            if (std::isnan(right)) continue;
            if (!(std::fabs(scale - right) <= 1e-6 * right)) return "a scale is wrong";
            for (Index d = 0; d < D; ++d) {
                const double x = double{rows[at((h * fresh + i) * D + d)]};
                const int code = std::int8_t(got[at((h * 8 + 2 + i) * D + d)]);
                if (!(std::fabs(x - code * scale) <= 0.5001 * scale)) return "a code is not the nearest"; // float
            }
        }
    return {};
}

// Each head stands group_size times in a row: repeated, not tiled.
std::string wrong_with_expand(Executor& executor)
{
    constexpr int B = 2, Hkv = 3, group = 2, numbers_per_head = 520;
    const std::vector<float> heads = numbers(B * Hkv * numbers_per_head);
    Buffer<float> from(executor, std::span<const float>(heads), "from"), to(executor, heads.size() * group, "to");
    expand(executor, {reinterpret_cast<const std::byte*>(from.data()), reinterpret_cast<std::byte*>(to.data()), B, Hkv,
                      group, numbers_per_head * 4});
    const std::vector<float> all = to.read();
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < Hkv * group; ++h)
            for (Index n = 0; n < numbers_per_head; ++n)
                if (all[at((b * Hkv * group + h) * numbers_per_head + n)] !=
                    heads[at((b * Hkv + h / group) * numbers_per_head + n)])
                    return "a head is not repeated in a row";
    return {};
}

} // namespace

std::string wrong_with_cache_kernel(std::string_view kernel, Executor& executor)
{
    if (kernel == "quantise_append") return wrong_with_quantise_append(executor);
    if (kernel == "expand") return wrong_with_expand(executor);
    if (kernel != "append") throw std::invalid_argument("no cache kernel is called " + std::string(kernel));
    for (const bool paged : {false, true})
        for (const int D : {6, 150}) // narrower and wider than a block of threads
            if (const std::string what = wrong_with_append(executor, paged, D); !what.empty()) return what;
    return {};
}

} // namespace headroom::cuda
