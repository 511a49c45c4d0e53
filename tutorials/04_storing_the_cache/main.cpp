// A thousand tokens, one after the other, into three caches that only differ in where the next row goes.
#include "reference/kv_cache/kv_cache.h"
#include <fmt/core.h>
#include <stdexcept>

using namespace headroom;

constexpr Index Hkv = 2, D = 16, tokens = 1000;
constexpr Index row_bytes = 2 * Hkv * D * 4; // a token's key and value in f32

int main()
{
    const KvGeometry geometry{.kv_heads = Hkv, .head_dim = D, .value_dim = D, .type = DType::f32};
    const CacheOptions options{.max_length = 2048, .initial = 512, .growth = 1.5};
    const Tensor k({1, Hkv, 1, D}), v({1, Hkv, 1, D});

    fmt::print("{:13} {:>11} {:>12} {:>11} {:>11} {:>8}\n", "kind", "allocations", "rows copied", "rows at end",
               "most rows", "unused");
    for (const char* kind : {"concat", "preallocated", "growing"}) {
        const auto cache = cache_kind(kind).make(geometry, options);
        Index copied = 0; // rows of old tokens that were moved, in all steps
        for (Index N = 1; N <= tokens; ++N) {
            cache->append(k, v);
            copied += cache->counters().copied / row_bytes;
        }
        const KvCounters c = cache->counters();
        fmt::print("{:13} {:11} {:12} {:11} {:11} {:7.1f}%\n", kind, c.allocations, copied, c.reserved / row_bytes,
                   c.peak / row_bytes, 100 * (1 - double(c.live) / double(c.reserved)));
    }

    // When does the growing one grow?
    const auto growing = cache_kind("growing").make(geometry, options);
    for (Index N = 1; N <= tokens; ++N) {
        const Index before = growing->counters().reserved;
        growing->append(k, v);
        const KvCounters c = growing->counters();
        if (c.reserved != before)
            fmt::print("token {:3}: room for {} becomes {}, copied rows: {}\n", N, before / row_bytes,
                       c.reserved / row_bytes, c.copied / row_bytes);
    }

    // What fits no more is refused, and the cache stays as it was.
    const auto small = cache_kind("preallocated").make(geometry, {.max_length = 2});
    try {
        for (int N = 1; N <= 3; ++N) small->append(k, v);
    } catch (const std::length_error& error) {
        fmt::print("{}; it still has {}\n", error.what(), small->lengths()[0]);
    }
}
