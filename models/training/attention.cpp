// Causal attention of one head, forwards and backwards, for training on a CPU: row by row, everything in the first-level cache.
//
//     p = softmax(K q)            o = Vᵀ p
//     ds = p ∘ (V do − do·o)      dq = Kᵀ ds      dK += ds qᵀ      dV += p doᵀ
//
// q, o [L, D]; k, v [D, L]: the loops run over neighbouring keys. N heads lie one behind the other; q is already scaled.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <xla/ffi/api/ffi.h>

namespace ffi = xla::ffi;
using Numbers = ffi::Buffer<ffi::F32>;
using Result = ffi::ResultBuffer<ffi::F32>;

constexpr int D = 8;
constexpr int R = 4; // rows that share one pass over the gradients of K and V
constexpr int64_t longest = 1024;

// sums[j] = Σ_d row[d] · columns[d][j]
inline void products(const float* row, const float* columns, int64_t L, int64_t n, float* sums)
{
    for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int d = 0; d < D; ++d) sum += row[d] * columns[d * L + j];
        sums[j] = sum;
    }
}

// result[d] = Σ_j weights[j] · columns[d][j]
inline void combine(const float* weights, const float* columns, int64_t L, int64_t n, float* result)
{
    float sums[D] = {};
    for (int d = 0; d < D; ++d)
        for (int64_t j = 0; j < n; ++j) sums[d] += weights[j] * columns[d * L + j];
    std::copy(sums, sums + D, result);
}

// columns[d][j] += Σ_r weights[r][j] · rows[r][d]
inline void add_products(const float (*weights)[longest], const float* rows, int64_t count, int64_t L, int64_t n,
                         float* columns)
{
    for (int d = 0; d < D; ++d) {
        float factor[R] = {};
        for (int64_t r = 0; r < count; ++r) factor[r] = rows[r * D + d];
        float* column = columns + d * L;
#pragma GCC ivdep
        for (int64_t j = 0; j < n; ++j) {
            float sum = 0;
            for (int r = 0; r < R; ++r) sum += weights[r][j] * factor[r];
            column[j] += sum;
        }
    }
}

ffi::Error forward(Numbers q, Numbers k, Numbers v, Result o, Result lse)
{
    const auto shape = q.dimensions(); // [N, L, D]
    const int64_t N = shape[0], L = shape[1];
    if (shape[2] != D || L > longest) return ffi::Error::InvalidArgument("attention: head_dim 8, at most 1024 tokens");
    alignas(64) float p[longest];
    for (int64_t h = 0; h < N; ++h) {
        const float* keys = k.typed_data() + h * D * L;
        const float* values = v.typed_data() + h * D * L;
        for (int64_t i = 0; i < L; ++i) {
            const int64_t n = i + 1, row = h * L + i;
            products(q.typed_data() + row * D, keys, L, n, p);
            float row_max = p[0], row_sum = 0;
            for (int64_t j = 0; j < n; ++j) row_max = std::max(row_max, p[j]);
            for (int64_t j = 0; j < n; ++j) row_sum += p[j] = expf(p[j] - row_max);
            float* output = o->typed_data() + row * D;
            combine(p, values, L, n, output);
            for (int d = 0; d < D; ++d) output[d] /= row_sum;
            lse->typed_data()[row] = row_max + logf(row_sum);
        }
    }
    return ffi::Error::Success();
}

ffi::Error backward(Numbers q, Numbers k, Numbers v, Numbers o, Numbers lse, Numbers d_o, Result d_q, Result d_k,
                    Result d_v)
{
    const auto shape = q.dimensions();
    const int64_t N = shape[0], L = shape[1];
    if (shape[2] != D || L > longest) return ffi::Error::InvalidArgument("attention: head_dim 8, at most 1024 tokens");
    alignas(64) float p[R][longest] = {}, ds[R][longest] = {};
    std::fill_n(d_k->typed_data(), N * D * L, 0.0F);
    std::fill_n(d_v->typed_data(), N * D * L, 0.0F);
    for (int64_t h = 0; h < N; ++h) {
        const float* keys = k.typed_data() + h * D * L;
        const float* values = v.typed_data() + h * D * L;
        for (int64_t first = 0; first < L; first += R) {
            const int64_t end = std::min(first + R, L), row = h * L + first;
            const float* queries = q.typed_data() + row * D;
            const float* d_outputs = d_o.typed_data() + row * D;
            for (int64_t r = 0; r < end - first; ++r) {
                const int64_t n = first + r + 1;
                const float* output = o.typed_data() + (row + r) * D;
                const float normaliser = lse.typed_data()[row + r];
                float mean = 0;
                for (int d = 0; d < D; ++d) mean += output[d] * d_outputs[r * D + d];
                products(queries + r * D, keys, L, n, p[r]);
                for (int64_t j = 0; j < n; ++j) p[r][j] = expf(p[r][j] - normaliser);
                products(d_outputs + r * D, values, L, n, ds[r]);
                for (int64_t j = 0; j < n; ++j) ds[r][j] = p[r][j] * (ds[r][j] - mean);
                std::fill(p[r] + n, p[r] + end, 0.0F);
                std::fill(ds[r] + n, ds[r] + end, 0.0F);
                combine(ds[r], keys, L, n, d_q->typed_data() + (row + r) * D);
            }
            add_products(ds, queries, end - first, L, end, d_k->typed_data() + h * D * L);
            add_products(p, d_outputs, end - first, L, end, d_v->typed_data() + h * D * L);
        }
    }
    return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    attention_forward, forward,
    ffi::Ffi::Bind().Arg<Numbers>().Arg<Numbers>().Arg<Numbers>().Ret<Numbers>().Ret<Numbers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(attention_backward, backward,
                              ffi::Ffi::Bind()
                                  .Arg<Numbers>()
                                  .Arg<Numbers>()
                                  .Arg<Numbers>()
                                  .Arg<Numbers>()
                                  .Arg<Numbers>()
                                  .Arg<Numbers>()
                                  .Ret<Numbers>()
                                  .Ret<Numbers>()
                                  .Ret<Numbers>());
