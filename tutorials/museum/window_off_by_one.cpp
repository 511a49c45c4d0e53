// A sliding cache begins to slide one token too early, exactly where the length reaches the window.
#include "tutorials/museum/exhibit.h"

namespace headroom::museum {
namespace {

// Appends a token to a cache that keeps the newest `window` of them.
void append(std::vector<int>& kept, int token, int window, bool fault)
{
    const int full = fault ? window - 1 : window;
    if (static_cast<int>(kept.size()) >= full) kept.erase(kept.begin());
    kept.push_back(token);
}

std::vector<Row> run(bool fault)
{
    std::vector<double> v;
    for (int token = 0; token < 10; ++token) v.push_back(token);
    std::vector<int> kept;
    std::vector<Row> rows;
    for (int token = 0; token < 10; ++token) {
        append(kept, token, 8, fault);
        if (token < 5) continue; // the prompt
        std::vector<double> weights(10);
        for (const int j : kept) weights[static_cast<std::size_t>(j)] = 1.0 / static_cast<double>(kept.size());
        rows.push_back({token, weighted(weights, v), weights});
    }
    return rows;
}

} // namespace

extern const Exhibit window_off_by_one{
    "window_off_by_one",
    {"A window of 8 loses a token when the eighth arrives", "窗口为 8，第八个词元一到就丢一个"},
    {"token {}", "词元 {}"},
    {"key", "键"},
    {"output", "输出"},
    run,
    "tests/kv_cache/ring_test.cpp",
    "fault 8: walking through the window's length loses nothing and doubles nothing",
    "https://github.com/huggingface/transformers/issues/37574"};

} // namespace headroom::museum
