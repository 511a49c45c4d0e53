// Decode steps of attention layers with a cache, in the same rounds, so that MHA, GQA and MQA can be compared; each on as many
// layers as the last-level cache cannot hold, as in a model, or, to try it out, on two.
#pragma once
#include "experiments/bench/attention_layer.h"
#include "experiments/bench/bench.h"

namespace headroom {

std::vector<BenchRow> decode_layers(std::span<const LayerShape> shapes, int threads, const Alternation& how,
                                    bool in_cache);

} // namespace headroom
