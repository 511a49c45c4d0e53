// What a token costs as a text grows: computed with all earlier ones again, or from a cache; with MHA, GQA and MQA.
#pragma once
#include "experiments/bench/attention_layer.h"
#include "experiments/bench/bench.h"

namespace headroom {

struct LongPoint {
    std::string heads; // "MHA", "GQA(4)", "MQA"
    bool cached;
    Index tokens; // of the text, the new one included
    BenchRow row; // of the step that makes one more
};
struct LongSettings {
    LayerShape shape = {.sequences = 1}; // of one attention layer
    std::vector<Index> lengths = {256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    int threads = 0;
    Alternation alternation = {.rounds = 8, .block_ms = 30};
    bool in_cache = false; // two layers in turns, and not as many as the last-level cache cannot hold
    std::function<void(const std::string& what)> progress = [](const std::string&) {};
};
std::vector<LongPoint> long_run(const LongSettings& settings);

} // namespace headroom
