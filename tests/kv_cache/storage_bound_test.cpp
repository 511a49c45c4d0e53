// What a storage type may change: every stored number, and every number of the output, within the bounds that are stated.
#include "reference/attention/attention.h"
#include "reference/tensor/random.h"
#include "reference/verification/bounds.h"
#include "tests/kv_cache/every_cache.h"
#include "tests/support/catch.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

constexpr Index B = 2, H = 4, Hkv = 2, D = 24, Dv = 16, T = 40;

struct Sample {
    Tensor q, k, v;
};
Sample sample(bool wide, std::uint64_t seed)
{
    Random random(seed);
    const auto numbers = [&](Shape shape) {
        return wide ? random_uniform(std::move(shape), random, -4, 4) : random_normal(std::move(shape), random);
    };
    return {numbers({B, H, T, D}), numbers({B, Hkv, T, D}), numbers({B, Hkv, T, Dv})};
}

double scale_at(const StoredView& v, Index b, Index h, Index t, Index d)
{
    return v.scale ? static_cast<double>(v.scale[scale_offset(v, b, h, t, d)]) : 1.0;
}

// The largest share of its bound that the rounding of one number takes; infinite for what is no number.
double worst_number(const Tensor& exact, const StoredView& stored, DType judged_as)
{
    double worst = 0;
    for (Index b = 0; b < exact.extent(0); ++b)
        for (Index h = 0; h < exact.extent(1); ++h)
            for (Index t = 0; t < exact.extent(2); ++t)
                for (Index d = 0; d < exact.extent(3); ++d) {
                    const double x = exact(b, h, t, d), s = scale_at(stored, b, h, t, d);
                    const double bound =
                        s * std::max(bounds::rounding(judged_as) * std::fabs(x / s), bounds::least_rounding(judged_as));
                    const double share = std::fabs(value(stored, b, h, t, d) - x) / bound;
                    if (!(share <= worst))
                        worst = std::isfinite(share) ? share : std::numeric_limits<double>::infinity();
                }
    return worst;
}

// The same for the output, whose bound follows from what K and V really lost.
double worst_output(const Sample& s, const Tensor& exact, const Tensor& found, const Tensor& k, const Tensor& v)
{
    const double scale = 1 / std::sqrt(static_cast<double>(D));
    double worst = 0;
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < T; ++i) {
                const Index hkv = h / (H / Hkv);
                double score_change = 0;
                for (Index j = 0; j <= i; ++j) {
                    double change = 0;
                    for (Index d = 0; d < D; ++d) change += s.q(b, h, i, d) * (k(b, hkv, j, d) - s.k(b, hkv, j, d));
                    score_change = std::max(score_change, scale * std::fabs(change));
                }
                for (Index d = 0; d < Dv; ++d) {
                    double least = s.v(b, hkv, 0, d), most = least, v_change = 0;
                    for (Index j = 0; j <= i; ++j) {
                        least = std::min(least, s.v(b, hkv, j, d));
                        most = std::max(most, s.v(b, hkv, j, d));
                        v_change = std::max(v_change, std::fabs(v(b, hkv, j, d) - s.v(b, hkv, j, d)));
                    }
                    const double bound = bounds::output_change(score_change, most - least, v_change) + 1e-14;
                    const double share = std::fabs(found(b, h, i, d) - exact(b, h, i, d)) / bound;
                    if (!(share <= worst))
                        worst = std::isfinite(share) ? share : std::numeric_limits<double>::infinity();
                }
            }
    return worst;
}

double relative_rms(const Tensor& found, const Tensor& exact)
{
    double error = 0, size = 0;
    for (std::size_t i = 0; i < exact.values().size(); ++i) {
        error += (found.values()[i] - exact.values()[i]) * (found.values()[i] - exact.values()[i]);
        size += exact.values()[i] * exact.values()[i];
    }
    return std::sqrt(error / size);
}

} // namespace

TEST_CASE("what a storage type loses of K, of V and of the output is within the stated bounds, in every scaling")
{
    const std::vector<Index> lengths(B, T);
    for (const bool wide : {false, true})
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            const Sample s = sample(wide, seed);
            const AttentionStages exact =
                attention({.q = view(s.q),
                           .kv = {.k = view(s.k), .v = view(s.v), .sequences = B, .length = lengths.data()},
                           .options = {}});
            for (const Storage& storage : every_storage()) {
                INFO(name(storage) << (wide ? " in [-4, 4]" : " normal") << ", seed " << seed);
                Uncached stored = uncached(s.k, s.v, storage);
                const AttentionStages found = attention({.q = view(s.q), .kv = stored.view(T), .options = {}});
                const double rms = relative_rms(found.output, exact.output),
                             cap = bounds::storage_rms_cap(storage.type);
                if (storage.type == DType::f64) {
                    CHECK(rms == 0);
                    continue;
                }
                const double of_k = worst_number(s.k, stored.k.view(), storage.type),
                             of_v = worst_number(s.v, stored.v.view(), storage.type),
                             of_output = worst_output(s, exact.output, found.output, load(stored.k), load(stored.v));
                CHECK(of_k <= 1 + 1e-6);
                CHECK(of_v <= 1 + 1e-6);
                CHECK(of_output <= 1);
                CHECK(rms <= cap);
                CHECK(of_k > 0.9); // bounds that are nearly reached are no idle ones
                CHECK(of_output > 0.9);
                CHECK(rms > cap / 12);
            }
        }
}

TEST_CASE("the storage bounds refuse a type that is coarser, a scale that is wrong and a value that is missing")
{
    const Sample s = sample(true, 4);
    const auto wrong = [&](const Storage& storage, DType judged_as) {
        return worst_number(s.k, uncached(s.k, s.v, storage).k.view(), judged_as);
    };
    CHECK(wrong({DType::bf16, Scaling::none}, DType::f16) > 2);
    CHECK(wrong({DType::f16, Scaling::none}, DType::f32) > 100);
    CHECK(wrong({DType::f8e4m3, Scaling::per_tensor}, DType::bf16) > 10);
    Uncached i8 = uncached(s.k, s.v, {DType::i8, Scaling::per_head});
    for (float& scale : i8.k.scales()) scale *= 1.05f;
    CHECK(worst_number(s.k, i8.k.view(), DType::i8) > 2);
    Tensor lost = s.k;
    lost(1, 1, 7, 3) = std::numeric_limits<double>::quiet_NaN();
    CHECK(worst_number(s.k, view(lost), DType::f16) > 1e300);
    Tensor half = s.v;
    for (double& x : half.values()) x /= 2;
    const std::vector<Index> lengths(B, T);
    const auto output = [&](const Tensor& v) {
        return attention({.q = view(s.q),
                          .kv = {.k = view(s.k), .v = view(v), .sequences = B, .length = lengths.data()},
                          .options = {}})
            .output;
    };
    CHECK(worst_output(s, output(s.v), output(half), s.k, s.v) > 1e3); // as if V had lost nothing
}
