// A full cache takes one token more and writes it into the next sequence's first slot.
#include "tutorials/museum/exhibit.h"

#include <array>

namespace headroom::museum {
namespace {

constexpr int capacity = 4;
struct Cache {
    std::array<int, 2> length{};
    std::vector<double> slots = std::vector<double>(2 * capacity); // [sequence, capacity]
};

// Writes a token behind those of sequence b; false: refused, nothing has changed.
bool append(Cache& cache, std::size_t b, double value, bool fault)
{
    if (!fault && cache.length[b] == capacity) return false;
    cache.slots[b * capacity + static_cast<std::size_t>(cache.length[b]++)] = value;
    return true;
}

std::vector<Row> run(bool fault)
{
    Cache cache;
    for (const double value : {1.0, 2.0, 3.0, 4.0}) append(cache, 0, value, fault);
    for (const double value : {10.0, 20.0, 30.0}) append(cache, 1, value, fault);
    append(cache, 0, 99, fault); // the fifth token of sequence 0
    std::vector<Row> rows;
    for (std::size_t b = 0; b < 2; ++b) {
        const auto n = static_cast<std::size_t>(cache.length[b]);
        std::vector<double> weights(2 * capacity);
        for (std::size_t j = 0; j < n; ++j) weights[b * capacity + j] = 1.0 / static_cast<double>(n);
        rows.push_back({static_cast<int>(b), weighted(weights, cache.slots), weights});
    }
    return rows;
}

} // namespace

extern const Exhibit overflow_overwrites{
    "overflow_overwrites",
    {"A full cache writes into its neighbour", "缓存满了，写进了邻居的位置"},
    {"sequence {}", "序列 {}"},
    {"slot", "槽位"},
    {"output", "输出"},
    run,
    "tests/kv_cache/reported_faults_test.cpp",
    "fault 41: a full cache refuses and keeps what it has, and a capacity of 0 is full at once",
    "https://github.com/karpathy/nanochat/pull/627 https://github.com/huggingface/transformers/issues/46424 "
    "https://github.com/huggingface/candle/pull/2810"};

} // namespace headroom::museum
