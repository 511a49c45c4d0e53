// A matrix applied to each token: what q_proj, gate, down and all the others do.
#pragma once
#include "reference/decoder/backend.h"

namespace headroom {

inline Tensor project(const Tensor& x, const StoredTensor& w, const Backend& backend) // [T, in] -> [T, out]
{
    Tensor y({x.extent(0), w.shape().front()});
    for (Index t = 0; t < x.extent(0); ++t) backend.linear(x.row(t), w.view(), y.row(t));
    return y;
}

} // namespace headroom
