// What the layers of a decoder class consist of besides what its config.json states: biases, norms, gates, ties.
#pragma once
#include "reference/tensor/tensor.h"
#include <string_view>

namespace headroom {

enum class QkNorm : std::uint8_t { none, per_head, all_heads }; // weights D + D, or H D + Hkv D
enum class Experts : std::uint8_t { none, mixtral, deepseek, gpt_oss };

struct Anatomy {
    std::string_view family;
    bool gated = true; // three matrices per feed-forward, else two
    bool qkv_bias = false, out_bias = false, mlp_bias = false, norm_bias = false, head_bias = false;
    bool tied = false; // output matrix = embedding, where the file does not say
    Index norms = 2;   // per layer
    QkNorm qk_norm = QkNorm::none;
    Index mlp_ratio = 0;   // feed-forward width / model width, where the file is silent; 0: must be stated
    Index mlp_divisor = 1; // the file states the width of two halves together
    bool learned_positions = false, embedding_norm = false;
    Index more_positions = 0;
    Experts experts = Experts::none;
    bool sinks = false; // one learned logit per query head
};
const Anatomy* anatomy(std::string_view family); // null: not described

} // namespace headroom
