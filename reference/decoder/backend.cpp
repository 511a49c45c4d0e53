#include "reference/decoder/backend.h"

#include "reference/attention/attention.h"
#include "reference/parallel/linear.h"
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

// Eight partial sums in double: fast without a library, and the same bits whatever the other rows are.
double dot(const float* w, const double* x, Index n)
{
    double partial[8] = {};
    Index i = 0;
    for (; i + 8 <= n; i += 8)
        for (Index lane = 0; lane < 8; ++lane) partial[lane] += static_cast<double>(w[i + lane]) * x[i + lane];
    for (; i < n; ++i) partial[i % 8] += static_cast<double>(w[i]) * x[i];
    return ((partial[0] + partial[1]) + (partial[2] + partial[3])) +
           ((partial[4] + partial[5]) + (partial[6] + partial[7]));
}

void linear(const Tensor& x, const StoredView& w, Tensor& y)
{
    const Index out = w.extent[2], in = w.extent[3], T = x.extent(0);
    if (w.type != DType::f32 || x.extent(1) != in || y.shape() != Shape{T, out})
        throw std::invalid_argument("linear: a matrix of f32 " + to_text({out, in}) + " cannot turn " +
                                    to_text(x.shape()) + " into " + to_text(y.shape()));
    for (Index t = 0; t < T; ++t) {
        const auto* row = reinterpret_cast<const float*>(w.data);
        for (double& each : y.row(t)) {
            each = dot(row, x.row(t).data(), in);
            row += in;
        }
    }
}

} // namespace

Backend reference_backend() { return {attention, linear}; }

Backend parallel_backend(const ParallelOptions& options)
{
    return {[chosen = parallel_implementation(options)](const AttentionProblem& p) { return run(chosen, p); },
            [options](const Tensor& x, const StoredView& w, Tensor& y) { parallel_linear(x, w, y, options); }};
}

Backend counted(Backend backend, Work& into)
{
    const auto row_bytes = [](const StoredView& v) { // of one token's row in one head
        const bool own_scale = v.scale && v.scale_stride[2] != 0;
        return v.extent[3] * byte_size(v.type) + (own_scale ? Index{sizeof(float)} : 0);
    };
    return {[attention = std::move(backend.attention), row_bytes, &into](const AttentionProblem& p) {
                const AttentionShape shape = check(p);
                for (Index b = 0; b < shape.B; ++b) {
                    const Index queries = p.query_length ? p.query_length[b] : shape.L;
                    into.attention += queries * p.kv.length[b] * shape.H * (shape.D + shape.Dv);
                    into.kv_bytes += p.kv.length[b] * shape.Hkv * (row_bytes(p.kv.k) + row_bytes(p.kv.v));
                }
                return attention(p);
            },
            [linear = std::move(backend.linear), &into](const Tensor& x, const StoredView& w, Tensor& y) {
                into.linear += x.extent(0) * w.extent[2] * w.extent[3];
                linear(x, w, y);
            },
            backend.options};
}

} // namespace headroom
