// Four query heads, two KV heads: who reads whom, the right way, the long way and the wrong way; then what it saves.
#include "reference/attention/attention.h"
#include "reference/attention/repeat_heads.h"
#include "reference/kv_cache/kv_cache.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <fmt/core.h>

using namespace headroom;

Tensor attend(const Tensor& q, const Tensor& k,
              const Tensor& v) // [1, H, L, D] with [1, Hkv, S, D]: any Hkv that divides H
{
    const Index S = k.extent(2);
    const KvView kv{.k = view(k), .v = view(v), .sequences = 1, .length = &S};
    return attention({.q = view(q), .kv = kv, .options = {}}).output;
}

void print_heads(const char* name, const Tensor& output)
{
    fmt::print("{:30}", name);
    for (Index h = 0; h < output.extent(1); ++h) fmt::print(" {:3}", output(0, h, 0, 0));
    fmt::print("\n");
}

Index cache_bytes(Index Hkv) // of 4096 tokens in fp16, as they are allocated
{
    const KvGeometry geometry{.kv_heads = Hkv, .head_dim = 128, .value_dim = 128, .type = DType::f16};
    return cache_kind("preallocated").make(geometry, {.max_length = 4096})->counters().reserved;
}

int main()
{
    // One token; KV head 0 hands over 10, KV head 1 hands over 20. With one key every weight is 1.
    const Tensor q({1, 4, 1, 1}, 1.0), k({1, 2, 1, 1}, 1.0), v({1, 2, 1, 1}, {10, 20});
    const Index group_size = 4 / 2;
    print_heads("query head", Tensor({1, 4, 1, 1}, {0, 1, 2, 3}));
    print_heads("shared, h / group_size", attend(q, k, v));
    print_heads("copied by repeat_interleave",
                attend(q, repeat_interleave(k, group_size), repeat_interleave(v, group_size)));
    print_heads("copied by repeat: wrong", attend(q, mistakes::repeat(k, group_size), mistakes::repeat(v, group_size)));

    // Random numbers, 8 query heads on 2: sharing and copying agree to the last bit.
    Random random(5);
    const Tensor Q = random_uniform({1, 8, 3, 16}, random), K = random_uniform({1, 2, 5, 16}, random),
                 V = random_uniform({1, 2, 5, 16}, random);
    const Tensor shared = attend(Q, K, V), copied = attend(Q, repeat_interleave(K, 4), repeat_interleave(V, 4)),
                 tiled = attend(Q, mistakes::repeat(K, 4), mistakes::repeat(V, 4));
    Index differ_copied = 0, differ_tiled = 0;
    for (Index h = 0; h < 8; ++h) {
        differ_copied += !std::ranges::equal(shared.row(0, h, 0), copied.row(0, h, 0));
        differ_tiled += !std::ranges::equal(shared.row(0, h, 0), tiled.row(0, h, 0));
    }
    fmt::print("heads that differ from sharing: repeat_interleave {}, repeat {}\n\n", differ_copied, differ_tiled);

    // What is stored: a cache for each number of KV heads, really allocated.
    fmt::print("32 query heads of 128, 4096 tokens, fp16, one layer\n");
    for (const Index Hkv : {32, 8, 4, 1})
        fmt::print("Hkv = {:2}  {:8} bytes  saved {:5.2f} %  {}\n", Hkv, cache_bytes(Hkv),
                   100 * (1 - double(cache_bytes(Hkv)) / double(cache_bytes(32))),
                   Hkv == 32  ? "MHA"
                   : Hkv == 1 ? "MQA"
                              : "GQA");
}
