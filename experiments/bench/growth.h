// Whether cost grows as it should: decoding with the keys (linear) and with the query heads on the same KV heads (flat, until
// the arithmetic takes longer than the reading), a prefill with its tokens (quadratic), and its memory (not quadratic).
#pragma once
#include "experiments/bench/bench.h"

namespace headroom {

struct TileMemory { // of one prefill, in bytes
    Index tokens;
    Index tiles;  // counted: what the threads reserved for tiles of scores, keys and values
    Index output; // counted: attention's output and what it keeps of the softmax
    Index scores; // calculated: the scores as one tensor, which the tiled path never has
};
TileMemory tile_memory(const BenchCase& prefill, int threads);

struct Growth { // the rows of each series were measured in the same rounds
    std::vector<BenchRow> with_keys, with_heads, prefill;
    std::vector<Index> keys, heads, tokens;
    std::vector<TileMemory> memory;
    double flops_per_ms = 0; // that this machine can do: the prefill's limit
};
struct GrowthSettings {
    BenchSettings bench; // its type: f32 unless given
    BenchCase shape = {.name = "growth", .B = 1, .H = 32, .Hkv = 8, .D = 128, .L = 1, .S = 4096, .types = {DType::f32}};
    std::vector<Index> keys = {2048, 4096, 8192, 16384, 32768}, heads = {8, 16, 32, 64, 128, 256},
                       tokens = {256, 512, 1024, 2048}, memory_tokens = {512, 1024, 2048, 4096, 8192};
};
Growth growth(const GrowthSettings& settings);

// Decoding with fewer and fewer KV heads for the same query heads: time should fall as the bytes do.
struct Sharing {
    BenchRow row;
    Index kv_heads;
    double ideal, achieved; // how many times less than MHA: the bytes; the time, as median of the pairs
};
std::vector<Sharing> sharing(const BenchCase& shape, std::span<const Index> kv_heads, const BenchSettings& settings);

} // namespace headroom
