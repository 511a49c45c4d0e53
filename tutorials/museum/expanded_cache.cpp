// Keys and values are repeated for every query head before they are stored: sharing heads saves nothing.
#include "tutorials/museum/exhibit.h"

#include <cstddef>
#include <cstdint>

namespace headroom::museum {
namespace {

using Heads = std::vector<std::vector<std::uint16_t>>; // of one token, in bf16

// Appends one token's keys (or values) to a cache.
void append(std::vector<Heads>& cache, const Heads& token, std::size_t q_heads, bool fault)
{
    if (!fault) return cache.push_back(token);
    Heads expanded; // so that attention needs no index arithmetic
    for (std::size_t h = 0; h < q_heads; ++h) expanded.push_back(token[h / (q_heads / token.size())]);
    cache.push_back(expanded);
}

std::size_t bytes(const std::vector<Heads>& cache)
{
    std::size_t sum = 0;
    for (const Heads& token : cache)
        for (const auto& head : token) sum += head.size() * sizeof(std::uint16_t);
    return sum;
}

std::vector<Row> run(bool fault)
{
    std::vector<Heads> k, v; // one layer of Llama-3-8B: 32 query heads, 8 KV heads of 128
    std::vector<Row> rows;
    for (int tokens = 1; tokens <= 4; ++tokens) {
        append(k, Heads(8, std::vector<std::uint16_t>(128)), 32, fault);
        append(v, Heads(8, std::vector<std::uint16_t>(128)), 32, fault);
        rows.push_back({tokens, static_cast<double>(bytes(k) + bytes(v)), {}});
    }
    return rows;
}

} // namespace

extern const Exhibit expanded_cache{
    "expanded_cache",
    {"The cache stores what was expanded for the query heads", "缓存存下了为查询头展开的副本"},
    {"tokens stored: {}", "已存词元：{}"},
    {"", ""},
    {"bytes", "字节"},
    run,
    "tests/kv_cache/reported_faults_test.cpp",
    "fault 17: the cache is allocated with KV heads, not with query heads",
    "https://github.com/meta-pytorch/torchtune/issues/38 https://github.com/meta-pytorch/torchtune/pull/1961 "
    "https://github.com/tinygrad/tinygrad/pull/2267"};

} // namespace headroom::museum
