// The cache kernels against their meaning in words.
#include "cuda/executor/executor.h"
#include "cuda/kv_cache/cache_kernels.h"
#include "reference/tensor/random.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>

using namespace headroom;
using namespace headroom::cuda;

namespace {

std::vector<float> numbers(std::size_t n)
{
    Random random(3);
    std::vector<float> list(n);
    for (float& x : list) x = static_cast<float>(random.uniform(-4, 4));
    return list;
}

} // namespace

TEST_CASE("append writes new rows behind the old ones, through a table or not, and nothing else")
{
    const auto executor = make_executor(ExecutorKind::simt);
    constexpr int B = 2, Hkv = 2, D = 6, fresh = 3;
    const std::vector<float> rows = numbers(B * Hkv * fresh * D);
    const std::vector<Index> lengths{3, 0};
    for (const bool paged : {false, true}) {
        const Index slots = paged ? 4 : 8, blocks = paged ? 5 : B;
        const std::vector<std::int32_t> table{4, 0, 2, 1};
        StoredTensor shape({blocks, Hkv, slots, D}, DType::f32);
        Buffer<float> cache(*executor, static_cast<std::size_t>(blocks * Hkv * slots * D), "cache");
        Buffer<float> from(*executor, std::span<const float>(rows), "rows");
        Buffer<Index> length(*executor, std::span<const Index>(lengths), "length");
        Buffer<std::int32_t> blocks_of(*executor, std::span<const std::int32_t>(table), "table");
        NewRows n{from.data(), shape.view(), length.data(), paged ? blocks_of.data() : nullptr, 2, B, Hkv, fresh, D};
        n.part.data = reinterpret_cast<const std::byte*>(cache.data());
        append(*executor, n);
        const std::vector<float> stored = cache.read();
        std::size_t written = 0;
        for (Index b = 0; b < B; ++b)
            for (Index h = 0; h < Hkv; ++h)
                for (Index i = 0; i < fresh; ++i) {
                    const Index j = lengths[std::size_t(b)] + i;
                    const Index block = paged ? table[std::size_t(b * 2 + j / slots)] : b;
                    for (Index d = 0; d < D; ++d) {
                        const Index at = ((block * Hkv + h) * slots + j % slots) * D + d;
                        CHECK(stored[std::size_t(at)] == rows[std::size_t(((b * Hkv + h) * fresh + i) * D + d)]);
                    }
                }
        for (const float x : stored) written += !std::isnan(x);
        CHECK(written == rows.size()); // all else is as it was: poison
    }
}

TEST_CASE("quantise-append stores codes and scales as the reference does")
{
    const auto executor = make_executor(ExecutorKind::simt);
    constexpr int Hkv = 2, D = 37, fresh = 4;
    std::vector<float> rows = numbers(Hkv * fresh * D);
    std::fill_n(rows.begin(), D, 0.0f); // a row of zeros
    StoredTensor expected({1, Hkv, 8, D}, DType::i8, Scaling::per_head_and_token);
    for (Index h = 0; h < Hkv; ++h)
        for (Index i = 0; i < fresh; ++i) {
            const auto row = rows.begin() + (h * fresh + i) * D;
            expected.write_row(0, h, 2 + i, std::vector<double>(row, row + D));
        }
    Buffer<std::byte> codes(*executor, std::size_t(Hkv * 8 * D), "codes");
    Buffer<float> scales(*executor, std::size_t(Hkv * 8), "scales"),
        from(*executor, std::span<const float>(rows), "rows");
    Buffer<Index> length(*executor, std::vector<Index>{2}, "length");
    NewRows n{from.data(), expected.view(), length.data(), nullptr, 0, 1, Hkv, fresh, D};
    n.part.data = codes.data(), n.part.scale = scales.data();
    quantise_append(*executor, n);
    const std::vector<std::byte> got = codes.read();
    const std::vector<float> got_scales = scales.read();
    for (Index h = 0; h < Hkv; ++h)
        for (Index j = 2; j < 6; ++j) {
            CHECK(got_scales[std::size_t(h * 8 + j)] == Approx(expected.view().scale[h * 8 + j]));
            for (Index d = 0; d < D; ++d) {
                const std::size_t at = std::size_t((h * 8 + j) * D + d);
                CHECK(std::abs(int(std::int8_t(got[at])) - int(std::int8_t(expected.bytes()[at]))) <=
                      1); // float, not double
            }
        }
}

TEST_CASE("expand repeats each head in a row, and does not tile")
{
    const auto executor = make_executor(ExecutorKind::simt);
    constexpr int B = 2, Hkv = 3, group = 2, numbers_per_head = 520;
    const std::vector<float> heads = numbers(B * Hkv * numbers_per_head);
    Buffer<float> from(*executor, std::span<const float>(heads), "from"), to(*executor, heads.size() * group, "to");
    expand(*executor, {reinterpret_cast<const std::byte*>(from.data()), reinterpret_cast<std::byte*>(to.data()), B, Hkv,
                       group, numbers_per_head * 4});
    const std::vector<float> all = to.read();
    for (int b = 0; b < B; ++b)
        for (int h = 0; h < Hkv * group; ++h)
            for (int n = 0; n < numbers_per_head; ++n)
                REQUIRE(all[std::size_t((b * Hkv * group + h) * numbers_per_head + n)] ==
                        heads[std::size_t((b * Hkv + h / group) * numbers_per_head + n)]);
}
