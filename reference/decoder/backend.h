// The two products that cost time, so that anything can drive the model: the reference, the parallel path, a kernel.
#pragma once
#include "reference/parallel/parallel_attention.h"

namespace headroom {

// y = x W^T: each token's row of x [T, in] through W [out, in] into y [T, out].
using LinearFunction = std::function<void(const Tensor& x, const StoredView& w, Tensor& y)>;

struct Backend {
    AttentionFunction attention;
    LinearFunction linear;
    AttentionOptions options = {}; // a window and its sinks, the same in every layer
};
Backend reference_backend();
Backend parallel_backend(const ParallelOptions& options = {}); // attention and matrices in f32, on all cores

// What passes through a backend, counted where it passes.
struct Work {
    Index linear = 0; // multiply-adds of the matrices
    Index attention =
        0; // of Q K^T and P V: every query with every key it is given, hidden ones too, as dense products do
    Index kv_bytes = 0; // of the keys and values that attention reads, each once, scales included
    Index total() const { return linear + attention; }
};
Backend counted(Backend backend, Work& into); // `into` must outlive it

} // namespace headroom
