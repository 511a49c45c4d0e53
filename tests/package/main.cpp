// Two query heads that share one KV head, through a cache: what another project writes against an installed Headroom.
#include <iostream>
#include <reference/attention/attention.h>
#include <reference/kv_cache/kv_cache.h>

int main()
{
    using namespace headroom;
    const auto cache =
        cache_kind("preallocated").make({.kv_heads = 1, .head_dim = 2, .value_dim = 2}, {.max_length = 8});
    cache->append(Tensor({1, 1, 2, 2}, {1, 0, 1, 0}), Tensor({1, 1, 2, 2}, {2, 4, 4, 8}));
    const Tensor q({1, 2, 1, 2}, {1, 0, 0, 1});
    const Tensor output = attention({.q = view(q), .kv = cache->view(0), .options = {}}).output; // equal keys: the mean
    for (const double number : output.values()) std::cout << number << ' ';
    std::cout << "from " << cache->counters().live << " bytes\n";
}
