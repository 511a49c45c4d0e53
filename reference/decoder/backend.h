// The two products that cost time, so that anything can drive the model: the reference, the parallel path, a kernel.
#pragma once
#include "reference/contract/implementation.h"

namespace headroom {

// y = W x with W [out, in]; sizes are those of w.
using LinearFunction = std::function<void(std::span<const double> x, const StoredView& w, std::span<double> y)>;

struct Backend {
    AttentionFunction attention;
    LinearFunction linear;
    AttentionOptions options = {}; // a window and its sinks, the same in every layer
};
Backend reference_backend();

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
