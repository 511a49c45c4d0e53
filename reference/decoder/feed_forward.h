// The gated feed-forward network of Llama (SwiGLU, Shazeer 2020): down(silu(gate x) * up x).
#pragma once
#include "reference/decoder/backend.h"

namespace headroom {

struct FeedForwardWeights {
    StoredTensor gate; // [hidden, E]
    StoredTensor up;   // [hidden, E]
    StoredTensor down; // [E, hidden]
};
Tensor feed_forward(const Tensor& x, const FeedForwardWeights& weights, const Backend& backend); // [T, E] -> [T, E]

} // namespace headroom
