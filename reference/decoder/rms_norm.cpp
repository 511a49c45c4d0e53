#include "reference/decoder/rms_norm.h"

#include <cmath>

namespace headroom {

Tensor rms_norm(const Tensor& x, const StoredTensor& weight, double epsilon)
{
    const StoredView w = weight.view();
    Tensor y(x.shape());
    for (Index t = 0; t < x.extent(0); ++t) {
        double squares = 0;
        for (const double each : x.row(t)) squares += each * each;
        const double scale = 1 / std::sqrt(squares / static_cast<double>(x.extent(1)) + epsilon);
        for (Index e = 0; e < x.extent(1); ++e) y(t, e) = x(t, e) * scale * value(w, 0, 0, 0, e);
    }
    return y;
}

} // namespace headroom
