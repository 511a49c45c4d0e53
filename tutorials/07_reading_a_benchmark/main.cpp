// A published benchmark, calculated before anything is timed: what its rows compute, what they hold, and what was counted.
#include "reference/kv_cache/kv_cache.h"
#include <fmt/core.h>

using namespace headroom;

// The article's layer: width 1024, 16 query heads, 1024 tokens, batch 8, two bytes per number.
constexpr Index B = 8, L = 1024, E = 1024, H = 16, D = E / H, bytes = 2;

struct Row {
    const char* name;
    Index kv_heads;
    bool cache;
};
const Row rows[] = {
    {"MHA, no cache", 16, false}, {"MHA, cache", 16, true}, {"GQA(4), no cache", 4, false}, {"GQA(4), cache", 4, true}};

struct Work {
    Index multiply_adds, scores; // scores: bytes of the score matrix, if it is kept whole
};
// A pass that takes in `added` tokens of each sequence, the last of which see `seen` keys.
Work pass(Index added, Index seen, Index kv_heads)
{
    const Index projections = E * (H + 2 * kv_heads) * D + H * D * E; // q, k, v and the output's, per token
    return {.multiply_adds = B * added * projections + B * H * added * seen * 2 * D, // Q K^T and P V
            .scores = B * H * added * seen * bytes};
}

double mib(Index size) { return double(size) / double(1 << 20); }

Index cache_bytes(Index kv_heads) // as they are allocated
{
    const KvGeometry geometry{.sequences = B, .kv_heads = kv_heads, .head_dim = D, .value_dim = D, .type = DType::f16};
    return cache_kind("preallocated").make(geometry, {.max_length = L})->counters().reserved;
}

int main()
{
    fmt::print("                          million multiply-adds   MiB: weights   scores   cache\n");
    for (const Row& row : rows) {
        const Work work = pass(L, L, row.kv_heads);
        const Index weights = (E * (H + 2 * row.kv_heads) * D + H * D * E) * bytes;
        fmt::print("prefill   {:17} {:20} {:14.2f} {:8.2f} {:7.2f}\n", row.name, work.multiply_adds / 1000000,
                   mib(weights), mib(work.scores), row.cache ? mib(cache_bytes(row.kv_heads)) : 0.0);
    }

    // Without a cache the token behind the 1023rd takes in all 1024 again.
    fmt::print("\n");
    for (const Row& row : rows) {
        const Work work = row.cache ? pass(1, L, row.kv_heads) : pass(L, L, row.kv_heads);
        fmt::print("one step  {:17} {:20} {:23.2f}\n", row.name, work.multiply_adds / 1000000, mib(work.scores));
    }

    // What can be counted in one run, and what the article's latency x throughput gives in each of its rows.
    fmt::print("\ntokens that a decode step makes       {:5}\n", B);
    fmt::print("tokens that a prefill takes in        {:5}\n", B * L);
    fmt::print("the article's latency x throughput    {:5}\n", 819);
}
