#include "reference/decoder/feed_forward.h"

#include "reference/decoder/project.h"
#include <cmath>

namespace headroom {

Tensor feed_forward(const Tensor& x, const FeedForwardWeights& w, const Backend& backend)
{
    Tensor gate = project(x, w.gate, backend);   // [T, hidden]
    const Tensor up = project(x, w.up, backend); // [T, hidden]
    for (std::size_t i = 0; i < gate.values().size(); ++i) {
        double& g = gate.values()[i];
        g = g / (1 + std::exp(-g)) * up.values()[i];
    }
    return project(gate, w.down, backend);
}

} // namespace headroom
