// One attention layer in f32 for the article's table: projections, cache or none, attention, output projection, with
// each kind of memory taken from a counter of its own.
#pragma once
#include "reference/kv_cache/metered_memory.h"
#include "reference/parallel/prepared.h"
#include "reference/parallel/row_states.h"

namespace headroom {

struct LayerShape {
    Index width = 1024, q_heads = 16, kv_heads = 16, sequences = 8, tokens = 1024;
    Index head_dim() const { return width / q_heads; }
    Index kv_width() const { return kv_heads * head_dim(); }
};

struct MemorySplit { // bytes at the moment when most is used
    Index weights = 0, activations = 0, scores = 0, cache = 0;
    Index total() const { return weights + activations + scores + cache; }
};

// tiled: the scores exist tile by tile, as everywhere in this project; whole: as one tensor [B, H, L, S]
enum class ScoreMemory : std::uint8_t { tiled, whole };

class AttentionLayer {
public:
    AttentionLayer(const LayerShape& shape, bool with_cache, ScoreMemory scores, int threads);

    void prefill();     // all tokens of all sequences; with a cache, their keys and values are kept
    void decode_step(); // with a cache: the last token of each sequence alone; without: all of them again

    MemorySplit measured() const;                 // by the counters, since the layer was made
    MemorySplit calculated(bool prefilled) const; // from the shape
    Index decode_bytes() const;                   // weights, and keys and values, that a decode step must read
    Index flops(bool prefill) const;              // of the projections and of attention
    std::span<const float> output() const { return {output_.data(), output_size_}; } // of the last call
    std::vector<std::span<const std::byte>> read_by_decode() const;

private:
    void run(Index first, Index count); // tokens first … first + count - 1 of each sequence
    Index tile_bytes(Index new_tokens) const;
    void attend_whole(const AttentionProblem& problem, float* heads);
    ParallelOptions options() const { return {.threads = threads_}; }

    LayerShape shape_;
    bool with_cache_;
    ScoreMemory score_memory_;
    int threads_;
    MeteredMemory weights_memory_{nullptr}, activations_memory_{nullptr}, scores_memory_{nullptr},
        cache_memory_{nullptr};
    parallel::FloatBuffer weights_, input_, keys_, values_, output_;
    std::size_t output_size_ = 0;
};

} // namespace headroom
