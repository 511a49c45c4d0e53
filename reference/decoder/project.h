// A matrix applied to every token: what q_proj, gate, down and all the others do.
#pragma once
#include "reference/decoder/backend.h"

namespace headroom {

inline Tensor project(const Tensor& x, const StoredTensor& w, const Backend& backend) // [T, in] -> [T, out]
{
    Tensor y({x.extent(0), w.shape().front()});
    backend.linear(x, w.view(), y);
    return y;
}

} // namespace headroom
