// What every kernel of the ladder is told about a problem, by value.
#pragma once
#include "cuda/primitives/cuda.h"
#include "reference/contract/problem.h"

namespace headroom::cuda {

struct Broadcast { // a tensor whose axes of extent 1 have stride 0
    const float* data = nullptr;
    Index stride[4] = {};
};

struct DeviceProblem {
    const void* q;              // [B, H, L, D] dense: float, or 16 bits where a step says so
    KvView kv;                  // k [blocks, Hkv, block_size, D], v [blocks, Hkv, block_size, Dv]
    float* output;              // [B, H, L, Dv]
    float* lse;                 // [B, H, L]
    int B, H, Hkv, L, D, Dv, S; // S: the longest sequence
    float scale, soft_cap;
    Causal causal;
    Index window, sinks;
    const Index* query_length; // [B] or null
    Broadcast bias, mask;      // over [B, H, L, S]
    const float* sink_logits;  // [H] or null
};

} // namespace headroom::cuda
