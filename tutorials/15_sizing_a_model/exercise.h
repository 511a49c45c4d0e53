// How many bytes does one more token take in the cache of a model?
#pragma once
#include "reference/tensor/tensor.h"

struct Model { // as a config.json states it; head_dim 0: not stated, it is hidden_size / q_heads then
    headroom::Index layers, hidden_size, q_heads, kv_heads, head_dim;
};
headroom::Index bytes_per_token(const Model& model, headroom::Index bytes_per_number);
