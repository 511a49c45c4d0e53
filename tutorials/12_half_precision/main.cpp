// Keys and values in fewer bits: what becomes of single numbers, of a cache, and of keys with one loud channel.
#include "reference/attention/attention.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/tensor/random.h"
#include <cmath>
#include <fmt/core.h>

using namespace headroom;

constexpr Index H = 8, Hkv = 4, S = 256, D = 64;
constexpr DType types[] = {DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::i8};

double stored(DType type, double value)
{
    std::byte bytes[8];
    encode(type, value, bytes);
    return decode(type, bytes);
}

// Scales that are fixed before anything is stored; a scale per head and token is found when its row is written.
std::vector<float> fixed_scales(const Tensor& sample, DType type, Scaling scaling)
{
    if (scaling == Scaling::none || scaling == Scaling::per_head_and_token) return {};
    return calibrate(sample, type, scaling);
}

struct Through {
    Tensor output;
    Index bytes; // of all tokens, scales included
};
Through through_cache(DType type, Scaling scaling, const Tensor& q, const Tensor& k, const Tensor& v)
{
    KvGeometry geometry{.kv_heads = Hkv, .head_dim = D, .value_dim = D, .type = type, .scaling = scaling};
    geometry.scales = {{fixed_scales(k, type, geometry.k_scaling()), fixed_scales(v, type, geometry.v_scaling())}};
    const auto cache = cache_kind("concat").make(geometry, {});
    cache->append(k, v);
    const AttentionStages stages = attention({.q = view(q), .kv = cache->view(0), .options = {}});
    return {stages.output, cache->counters().live};
}

double percent_off(const Tensor& found, const Tensor& wanted) // root of the mean square, relative
{
    double error = 0, size = 0;
    for (std::size_t i = 0; i < wanted.values().size(); ++i) {
        error += std::pow(found.values()[i] - wanted.values()[i], 2);
        size += std::pow(wanted.values()[i], 2);
    }
    return 100 * std::sqrt(error / size);
}

void print_line(const char* keys, DType type, Scaling scaling, const Tensor& q, const Tensor& k, const Tensor& v)
{
    const Tensor exact = through_cache(DType::f64, Scaling::none, q, k, v).output;
    const Through through = through_cache(type, scaling, q, k, v);
    fmt::print("{:7} {:7} {:19} {:5} bytes per token   output off by {:8.5f} %\n", keys, name(type),
               scaling == Scaling::none ? "" : name(scaling), through.bytes / S, percent_off(through.output, exact));
}

int main()
{
    // One number at a time, without a scale.
    fmt::print("{:10}", "");
    for (const DType type : types) fmt::print("{:>12}", name(type));
    for (const double value : {0.1, 1000.5, 70000.0, 0.00001}) {
        fmt::print("\n{:<10g}", value);
        for (const DType type : types) fmt::print("{:>12.6g}", stored(type, value));
    }

    // A whole cache of normal numbers. The 8-bit types have a scale for each head and token.
    Random random(12);
    const Tensor q = random_normal({1, H, 32, D}, random), v = random_normal({1, Hkv, S, D}, random);
    Tensor k = random_normal({1, Hkv, S, D}, random);
    fmt::print("\n\n{} KV heads of {}, {} tokens\n", Hkv, D, S);
    for (const DType type : types)
        print_line("normal", type, byte_size(type) == 1 ? Scaling::per_head_and_token : Scaling::none, q, k, v);

    // Now one channel of the keys is twenty times as loud, in every token.
    for (Index hkv = 0; hkv < Hkv; ++hkv)
        for (Index j = 0; j < S; ++j) k(0, hkv, j, 5) *= 20;
    fmt::print("\n");
    for (const DType type : {DType::i8, DType::f8e4m3})
        for (const Scaling scaling : {Scaling::per_tensor, Scaling::per_head_and_token, Scaling::per_channel})
            print_line("loud", type, scaling, q, k, v);
}
