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

// What passes through a backend, counted where it passes: multiply-adds of the matrices, and of Q K^T and P V together
// (every query with every key that it is given, hidden ones included: that is what a dense product computes).
struct Work {
    Index linear = 0, attention = 0;
    Index total() const { return linear + attention; }
};
Backend counted(Backend backend, Work& into); // `into` must outlive it

} // namespace headroom
