// A prompt longer than the ring is written whole before anyone attends: early queries find later tokens in their slots.
#include "tutorials/museum/exhibit.h"

#include <algorithm>

namespace headroom::museum {
namespace {

// Which of n tokens each of them sees through a ring of `window` slots.
std::vector<std::vector<int>> prefill(int n, int window, bool fault)
{
    std::vector<int> slots(static_cast<std::size_t>(window)); // the token in each
    const auto slot = [&](int token) -> int& { return slots[static_cast<std::size_t>(token % window)]; };
    if (fault)
        for (int i = 0; i < n; ++i) slot(i) = i; // the whole prompt at once
    std::vector<std::vector<int>> seen;
    for (int i = 0; i < n; ++i) {
        if (!fault) slot(i) = i; // only then its own query attends
        seen.emplace_back(slots.begin(), slots.begin() + std::min(i + 1, window));
    }
    return seen;
}

std::vector<Row> run(bool fault)
{
    const std::vector<double> v{0, 1, 2, 3, 4, 5};
    std::vector<Row> rows;
    for (const std::vector<int>& seen : prefill(6, 4, fault)) {
        std::vector<double> weights(6);
        for (const int j : seen) weights[static_cast<std::size_t>(j)] = 1.0 / static_cast<double>(seen.size());
        rows.push_back({static_cast<int>(rows.size()), weighted(weights, v), weights});
    }
    return rows;
}

} // namespace

extern const Exhibit chunk_sees_future{
    "chunk_sees_future",
    {"A long prompt in a ring sees its own future", "环形缓存里，长提示看见了自己的未来"},
    {"token {}", "词元 {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/kv_cache/ring_test.cpp",
    "fault 7: a prompt longer than the window, in one call and in pieces, sees no token of its future",
    "https://github.com/Lightning-AI/litgpt/issues/2182 https://github.com/Lightning-AI/litgpt/pull/2215 "
    "https://github.com/EricLBuehler/mistral.rs/issues/246"};

} // namespace headroom::museum
