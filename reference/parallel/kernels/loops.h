// The inner loops, written once; each instruction set's file includes this after it has said how many LANES a vector has.
//
//     a tile of registers   QUERIES rows of q or weights  x  4 keys, or VECTORS vectors of a value's columns:
//                           what is loaded from the cache is used for all of the group's queries before it is dropped
#pragma once
#include "reference/parallel/kernels/vectors.h"

namespace headroom::parallel {
namespace {

#if LANES == 16 // 32 registers
constexpr Index QUERIES = 4, VECTORS = 4, PRODUCT_ROWS = 6, PRODUCT_VECTORS = 4;
#else // 16 registers
constexpr Index QUERIES = 2, VECTORS = 4, PRODUCT_ROWS = 6, PRODUCT_VECTORS = 2;
#endif
constexpr Index line = 64; // bytes that come into the cache together

INLINE bool begins_a_line(Index column, Index bytes) { return column * bytes % line < LANES * bytes; }

// Into the second-level cache: more lines can be on their way there than to the first level.
INLINE void fetch(const void* row, Index byte) { __builtin_prefetch(static_cast<const char*>(row) + byte, 0, 2); }

// ---- scores = q K^T ------------------------------------------------------------------------------------------------

// sums[r][x] += q[r] . keys[x] in `vectors` vectors of columns, from d on
template <class T, int vectors, int rows>
INLINE void dot_step(const float* q, const void* const* key, Index d, Index dim, const void* const* next,
                     Floats (&sums)[rows][4])
{
    UNROLL
    for (int x = 0; x < 4; ++x) {
        Floats k[vectors];
        unpack_vectors<T>(key[x], d, k);
        UNROLL
        for (int n = 0; n < vectors; ++n) {
            const Index column = d + n * LANES;
            if (next && begins_a_line(column, T::bytes)) fetch(next[x], column * T::bytes);
            UNROLL
            for (int r = 0; r < rows; ++r) sums[r][x] = load(q + r * dim + column) * k[n] + sums[r][x];
        }
    }
}

template <class T, int rows>
INLINE void dot_rows(const float* q, const void* const* key, Index keys, Index dim, const void* const* next,
                     float* scores)
{
    for (Index j = 0; j < keys; j += 4) {
        const void* const* const soon = next ? next + j : nullptr;
        Floats sums[rows][4] = {};
        Index d = 0;
        for (; d + 2 * LANES <= dim; d += 2 * LANES) dot_step<T, 2>(q, key + j, d, dim, soon, sums);
        if (d < dim) dot_step<T, 1>(q, key + j, d, dim, soon, sums);
        UNROLL
        for (int r = 0; r < rows; ++r) {
            const FourFloats four = four_sums(sums[r]);
            __builtin_memcpy(scores + r * tile_keys + j, &four, sizeof four);
        }
    }
}

template <class T>
void dot_stored(const float* q, Index rows, const void* const* key, Index keys, Index dim, const void* const* next,
                float* scores)
{
    Index r = 0;
    for (; r + QUERIES <= rows; r += QUERIES, next = nullptr)
        dot_rows<T, QUERIES>(q + r * dim, key, keys, dim, next, scores + r * tile_keys);
    for (; r < rows; ++r, next = nullptr) dot_rows<T, 1>(q + r * dim, key, keys, dim, next, scores + r * tile_keys);
}

// ---- output += weights V -------------------------------------------------------------------------------------------

template <class T, int rows, int vectors>
INLINE void accumulate_block(const float* weights, const void* const* value, Index values, Index dim, Index column,
                             const void* const* next, float* output)
{
    Floats sums[rows][vectors];
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) sums[r][x] = load(output + r * dim + column + x * LANES);
    }
    for (Index j = 0; j < values; ++j) {
        Floats v[vectors];
        unpack_vectors<T>(value[j], column, v);
        UNROLL
        for (int x = 0; x < vectors; ++x) {
            const Index d = column + x * LANES;
            if (next && begins_a_line(d, T::bytes)) fetch(next[j], d * T::bytes);
        }
        UNROLL
        for (int r = 0; r < rows; ++r) {
            const Floats weight = all(weights[r * tile_keys + j]);
            UNROLL
            for (int x = 0; x < vectors; ++x) sums[r][x] = weight * v[x] + sums[r][x];
        }
    }
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) store(sums[r][x], output + r * dim + column + x * LANES);
    }
}

template <class T, int rows>
INLINE void accumulate_rows(const float* weights, const void* const* value, Index values, Index dim,
                            const void* const* next, float* output)
{
    Index d = 0;
    for (; d + VECTORS * LANES <= dim; d += VECTORS * LANES)
        accumulate_block<T, rows, VECTORS>(weights, value, values, dim, d, next, output);
    for (; d + 2 * LANES <= dim; d += 2 * LANES)
        accumulate_block<T, rows, 2>(weights, value, values, dim, d, next, output);
    if (d < dim) accumulate_block<T, rows, 1>(weights, value, values, dim, d, next, output);
}

template <class T>
void accumulate_stored(const float* weights, Index rows, const void* const* value, Index values, Index dim,
                       const void* const* next, float* output)
{
    Index r = 0;
    for (; r + QUERIES <= rows; r += QUERIES, next = nullptr)
        accumulate_rows<T, QUERIES>(weights + r * tile_keys, value, values, dim, next, output + r * dim);
    for (; r < rows; ++r, next = nullptr)
        accumulate_rows<T, 1>(weights + r * tile_keys, value, values, dim, next, output + r * dim);
}

// ---- C += A B for many rows ----------------------------------------------------------------------------------------

// The next rows' lines, one after the other.
class Fetching {
public:
    explicit Fetching(const Ahead& ahead) : row_(ahead.row), last_(ahead.row + ahead.rows), bytes_(ahead.bytes)
    {
        if (row_ != last_) begin_row();
    }
    __attribute__((always_inline)) void line()
    {
        if (at_ >= end_) return;
        __builtin_prefetch(at_, 0, 2);
        at_ += 64;
        if (at_ >= end_ && ++row_ != last_) begin_row();
    }

private:
    __attribute__((always_inline)) void begin_row()
    {
        at_ = static_cast<const char*>(*row_);
        end_ = at_ + bytes_;
    }
    const void *const *row_, *const *last_;
    Index bytes_;
    const char *at_ = nullptr, *end_ = nullptr;
};

template <int rows, int vectors>
INLINE void product_block(const float* A, Index a, const float* B, Index b, float* C, Index c, Index k, bool add,
                          Fetching& fetching)
{
    Floats sums[rows][vectors] = {};
    for (Index i = 0; i < k; ++i) {
        fetching.line();
        Floats row[vectors];
        UNROLL
        for (int x = 0; x < vectors; ++x) row[x] = load(B + i * b + x * LANES);
        UNROLL
        for (int r = 0; r < rows; ++r) {
            const Floats factor = all(A[r * a + i]);
            UNROLL
            for (int x = 0; x < vectors; ++x) sums[r][x] = factor * row[x] + sums[r][x];
        }
    }
    UNROLL
    for (int r = 0; r < rows; ++r) {
        UNROLL
        for (int x = 0; x < vectors; ++x) {
            float* const to = C + r * c + x * LANES;
            store(add ? load(to) + sums[r][x] : sums[r][x], to);
        }
    }
}

template <int vectors>
INLINE void product_columns(const float* A, Index a, const float* B, Index b, float* C, Index c, Index m, Index k,
                            bool add, Fetching& f)
{
    constexpr int rows = vectors == PRODUCT_VECTORS ? PRODUCT_ROWS : 12; // enough sums to keep the multipliers busy
    Index r = 0;
    for (; r + rows <= m; r += rows) product_block<rows, vectors>(A + r * a, a, B, b, C + r * c, c, k, add, f);
    for (; r + 2 <= m; r += 2) product_block<2, vectors>(A + r * a, a, B, b, C + r * c, c, k, add, f);
    if (r < m) product_block<1, vectors>(A + r * a, a, B, b, C + r * c, c, k, add, f);
}

void product(const float* A, Index a, const float* B, Index b, float* C, Index c, Index m, Index n, Index k, bool add,
             const Ahead& ahead)
{
    Fetching f(ahead);
    Index x = 0;
    for (; x + PRODUCT_VECTORS * LANES <= n; x += PRODUCT_VECTORS * LANES)
        product_columns<PRODUCT_VECTORS>(A, a, B + x, b, C + x, c, m, k, add, f);
#if LANES == 16
    for (; x + 2 * LANES <= n; x += 2 * LANES) product_columns<2>(A, a, B + x, b, C + x, c, m, k, add, f);
#endif
    for (; x < n; x += LANES) product_columns<1>(A, a, B + x, b, C + x, c, m, k, add, f);
}

// ---- rows of scores ------------------------------------------------------------------------------------------------

INLINE void softmax_row(float* scores, Index keys, float& max, float& total, float* output, Index dim)
{
    constexpr float hidden = -__builtin_inff();
    Floats most = all(hidden);
    for (Index j = 0; j < keys; j += LANES) most = largest(most, load(scores + j));
    const float tile_max = maximum(most);
    if (!(tile_max <= max)) {
        const float shrink = __builtin_expf(max - tile_max);
        max = tile_max;
        total *= shrink;
        for (Index d = 0; d < dim; d += LANES) store(load(output + d) * shrink, output + d);
    }
    const float lowest = max == hidden ? 0 : max; // nothing is seen yet: -inf - 0 still has weight 0
    Floats sums = {};
    for (Index j = 0; j < keys; j += LANES) {
        const Floats weight = exp_of_negative(load(scores + j) - lowest);
        store(weight, scores + j);
        sums += weight;
    }
    total += sum(sums);
}

void softmax(float* scores, Index rows, Index keys, float* max, float* total, float* output, Index dim)
{
    for (Index r = 0; r < rows; ++r) softmax_row(scores + r * tile_keys, keys, max[r], total[r], output + r * dim, dim);
}

void scale(float* x, Index n, const float* factors)
{
    for (Index i = 0; i < n; i += LANES) store(load(x + i) * load(factors + i), x + i);
}

void times(float* x, Index n, float factor)
{
    for (Index i = 0; i < n; i += LANES) store(load(x + i) * factor, x + i);
}

bool finite(const float* x, Index n)
{
    Ints wrong = {};
    for (Index i = 0; i < n; i += LANES) wrong |= (bits(load(x + i)) & 0x7f800000) == 0x7f800000;
    std::int32_t any = 0;
    for (int i = 0; i < LANES; ++i) any |= wrong[i];
    return any == 0;
}

// cap tanh(x / cap) = sign(x) cap (1 - 2 e / (1 + e)) with e = exp(-2 |x| / cap)
void soft_cap(float* scores, Index n, float cap)
{
    for (Index i = 0; i < n; i += LANES) {
        const Floats x = load(scores + i);
        const Ints sign = bits(x) & static_cast<std::int32_t>(0x80000000u);
        const Floats e = exp_of_negative(from_bits(bits(x) ^ sign) * (-2 / cap));
        const Floats capped = cap * ((1.f - e) / (1.f + e));
        store(from_bits(bits(capped) ^ sign), scores + i);
    }
}

// ---- rows of stored numbers as floats ------------------------------------------------------------------------------

template <class T> void unpack_stored(const void* const* row, Index rows, Index dim, float* out)
{
    for (Index j = 0; j < rows; ++j, out += dim) {
        Index d = 0;
        for (; d + 2 * LANES <= dim; d += 2 * LANES) {
            Floats pair[2];
            unpack_vectors<T>(row[j], d, pair);
            store(pair[0], out + d);
            store(pair[1], out + d + LANES);
        }
        if (d < dim) store(T::row(row[j], d), out + d);
    }
}

template <class T> void transpose_stored(const void* const* row, Index rows, Index dim, float* out, Index to)
{
    for (Index j = 0; j < rows; j += 4)
        for (Index d = 0; d < dim; d += LANES) {
            Floats x[4];
            UNROLL
            for (int i = 0; i < 4; ++i) x[i] = T::row(row[j + i < rows ? j + i : rows - 1], d);
            turn_quarters(x);
            UNROLL
            for (int i = 0; i < LANES; ++i) {
                const FourFloats four = quarter(x[i % 4], i / 4);
                __builtin_memcpy(out + (d + i) * to + j, &four, sizeof four);
            }
        }
}

void arrange(Stored type, float* row, Index dim, bool back)
{
    if (type != Stored::bf16) return;
    for (Index d = 0; d + 2 * LANES <= dim; d += 2 * LANES) {
        float pair[2 * LANES];
        for (Index i = 0; i < LANES; ++i)
            for (Index odd = 0; odd < 2; ++odd) {
                const Index usual = 2 * i + odd, arranged = i + odd * LANES;
                pair[back ? usual : arranged] = row[d + (back ? arranged : usual)];
            }
        __builtin_memcpy(row + d, pair, sizeof pair);
    }
}

// ---- what the machine can do ---------------------------------------------------------------------------------------

float read(const void* from, Index bytes)
{
    constexpr int streams = LANES == 16 ? 16 : 8;
    const auto* x = static_cast<const float*>(from);
    Floats sums[streams] = {};
    const Index step = streams * LANES;
    for (Index i = 0; i + step <= bytes / 4; i += step) {
        UNROLL
        for (int s = 0; s < streams; ++s) {
            if (begins_a_line(s * LANES, 4)) fetch(x, (i + s * LANES) * 4 + 8192);
            sums[s] += load(x + i + s * LANES);
        }
    }
    for (int s = 1; s < streams; ++s) sums[0] += sums[s];
    return sum(sums[0]);
}

float multiply_add(Index repetitions)
{
    constexpr int chains = LANES == 16 ? 24 : 12;
    Floats x[chains];
    for (int i = 0; i < chains; ++i) x[i] = all(0.5f + static_cast<float>(i));
    const Floats factor = all(1.0000001f), term = all(1e-9f);
    for (Index n = 0; n < repetitions; ++n) {
        UNROLL
        for (int i = 0; i < 24; ++i) x[i % chains] = x[i % chains] * factor + term;
    }
    for (int i = 1; i < chains; ++i) x[0] += x[i];
    return sum(x[0]);
}

// ---- the table -----------------------------------------------------------------------------------------------------

#define FOR_EACH_TYPE(call)                                                                                            \
    switch (type) {                                                                                                    \
    case Stored::f32: return call<F32> ARGUMENTS;                                                                      \
    case Stored::f16: return call<F16> ARGUMENTS;                                                                      \
    case Stored::bf16: return call<Bf16> ARGUMENTS;                                                                    \
    case Stored::f8e4m3: return call<F8e4m3> ARGUMENTS;                                                                \
    case Stored::i8: return call<I8> ARGUMENTS;                                                                        \
    }

void dot(Stored type, const float* q, Index rows, const void* const* key, Index keys, Index dim,
         const void* const* next, float* scores)
{
#define ARGUMENTS (q, rows, key, keys, dim, next, scores)
    FOR_EACH_TYPE(dot_stored)
#undef ARGUMENTS
}
void accumulate(Stored type, const float* weights, Index rows, const void* const* value, Index values, Index dim,
                const void* const* next, float* output)
{
#define ARGUMENTS (weights, rows, value, values, dim, next, output)
    FOR_EACH_TYPE(accumulate_stored)
#undef ARGUMENTS
}
void unpack(Stored type, const void* const* row, Index rows, Index dim, float* out)
{
#define ARGUMENTS (row, rows, dim, out)
    FOR_EACH_TYPE(unpack_stored)
#undef ARGUMENTS
}
void transpose(Stored type, const void* const* row, Index rows, Index dim, float* out, Index to)
{
#define ARGUMENTS (row, rows, dim, out, to)
    FOR_EACH_TYPE(transpose_stored)
#undef ARGUMENTS
}

constexpr Kernels table(const char* name)
{
    return {name,  LANES, arrange, unpack,   dot,       accumulate, product,     softmax,
            scale, times, finite,  soft_cap, transpose, read,       multiply_add};
}

} // namespace
} // namespace headroom::parallel
