#include "experiments/storage_error.h"

#include "experiments/cache_run.h"
#include "reference/attention/attention.h"
#include "reference/tensor/random.h"
#include <cmath>

namespace headroom {
namespace {

double relative_rms(const Tensor& found, const Tensor& wanted)
{
    double error = 0, size = 0;
    for (std::size_t i = 0; i < wanted.values().size(); ++i) {
        const double off = found.values()[i] - wanted.values()[i];
        error += off * off;
        size += wanted.values()[i] * wanted.values()[i];
    }
    return std::sqrt(error / size);
}

struct Stored {
    Tensor k, v, output;
};

Stored through_cache(DType type, Scaling scaling, const StorageErrorSettings& s, const Tensor& q, const Tensor& k,
                     const Tensor& v)
{
    KvGeometry g{
        .kv_heads = s.kv_heads, .head_dim = s.head_dim, .value_dim = s.head_dim, .type = type, .scaling = scaling};
    g.scales = calibrated_scales(g, s.seed + 1);
    const auto cache = cache_kind("concat").make(g, {});
    cache->append(k, v);
    const KvView kv = cache->view(0);
    return {load(kv.k), load(kv.v), attention({.q = view(q), .kv = kv, .options = {}}).output};
}

} // namespace

StorageError storage_error(DType type, Scaling scaling, const StorageErrorSettings& s)
{
    Random random(s.seed);
    const auto numbers = [&](Shape shape) {
        return s.from < s.to ? random_uniform(std::move(shape), random, s.from, s.to)
                             : random_normal(std::move(shape), random);
    };
    const Tensor q = numbers({1, s.q_heads, s.queries, s.head_dim}), k = numbers({1, s.kv_heads, s.tokens, s.head_dim}),
                 v = numbers({1, s.kv_heads, s.tokens, s.head_dim});
    const Stored found = through_cache(type, scaling, s, q, k, v);
    const Stored wanted = through_cache(DType::f32, Scaling::none, s, q, k, v);
    return {type, scaling, relative_rms(found.k, wanted.k), relative_rms(found.v, wanted.v),
            relative_rms(found.output, wanted.output)};
}

std::vector<StorageChoice> storage_choices()
{
    std::vector<StorageChoice> all;
    for (const DType type : {DType::f32, DType::f16, DType::bf16}) all.push_back({type, Scaling::none});
    for (const DType type : {DType::f8e4m3, DType::i8})
        for (const Scaling scaling :
             {Scaling::per_tensor, Scaling::per_head, Scaling::per_channel, Scaling::per_head_and_token})
            all.push_back({type, scaling});
    return all;
}

} // namespace headroom
