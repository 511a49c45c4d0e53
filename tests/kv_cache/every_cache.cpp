#include "tests/kv_cache/every_cache.h"

#include <algorithm>
#include <limits>

namespace headroom {

std::vector<Storage> every_storage()
{
    std::vector<Storage> all;
    for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) all.push_back({type, Scaling::none});
    for (const DType type : {DType::f8e4m3, DType::i8})
        for (const Scaling scaling :
             {Scaling::per_tensor, Scaling::per_head, Scaling::per_head_and_token, Scaling::per_channel})
            all.push_back({type, scaling});
    return all;
}

std::string name(const Storage& s) { return std::string(name(s.type)) + " " + std::string(name(s.scaling)); }

namespace {

StoredTensor stored(const Tensor& t, DType type, Scaling scaling, std::span<const float> scales)
{
    StoredTensor all(t.shape(), type, scaling);
    std::ranges::copy(scales, all.scales().begin());
    for (Index b = 0; b < t.extent(0); ++b)
        for (Index h = 0; h < t.extent(1); ++h)
            for (Index i = 0; i < t.extent(2); ++i) all.write_row(b, h, i, t.row(b, h, i));
    return all;
}

std::vector<float> fixed_scales(const Tensor& t, DType type, Scaling scaling)
{
    if (scaling == Scaling::none || scaling == Scaling::per_head_and_token) return {};
    return calibrate(t, type, scaling);
}

} // namespace

Uncached uncached(const Tensor& k, const Tensor& v, const Storage& s)
{
    KvGeometry g{.layers = 1,
                 .sequences = k.extent(0),
                 .kv_heads = k.extent(1),
                 .head_dim = k.extent(3),
                 .value_dim = v.extent(3),
                 .type = s.type,
                 .scaling = s.scaling};
    g.scales = {{fixed_scales(k, s.type, g.k_scaling()), fixed_scales(v, s.type, g.v_scaling())}};
    StoredTensor stored_k = stored(k, s.type, g.k_scaling(), g.scales[0].k);
    StoredTensor stored_v = stored(v, s.type, g.v_scaling(), g.scales[0].v);
    const std::vector<Index> lengths(static_cast<std::size_t>(k.extent(0)));
    return {std::move(g), std::move(stored_k), std::move(stored_v), lengths};
}

KvView Uncached::view(Index length)
{
    std::ranges::fill(lengths, length);
    KvView kv;
    kv.k = k.view();
    kv.v = v.view();
    kv.sequences = geometry.sequences;
    kv.length = lengths.data();
    return kv;
}

Tensor tokens(const Tensor& sample, std::span<const Index> first, Index count)
{
    Tensor part({sample.extent(0), sample.extent(1), count, sample.extent(3)},
                std::numeric_limits<double>::quiet_NaN());
    for (Index b = 0; b < part.extent(0); ++b)
        for (Index h = 0; h < part.extent(1); ++h)
            for (Index i = 0; i < count && first[static_cast<std::size_t>(b)] + i < sample.extent(2); ++i)
                std::ranges::copy(sample.row(b, h, first[static_cast<std::size_t>(b)] + i), part.row(b, h, i).begin());
    return part;
}

std::vector<double> read(const KvCache& cache, Index b)
{
    const KvView kv = cache.view(0);
    std::vector<double> numbers;
    for (Index j = 0; j < kv.length[b]; ++j) {
        const Place at = place(kv, b, j);
        numbers.push_back(value(kv.v, at.block, 0, at.slot, 0));
    }
    return numbers;
}

} // namespace headroom
