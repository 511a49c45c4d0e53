// The inner loops of the fast path: one table of functions for each instruction set, filled from one source, loops.h.
//
// Files of this folder are compiled for one instruction set each. They may include nothing whose inline functions other
// files use too, such as the standard library's templates: the linker keeps one copy of those, and it would run everywhere.
#pragma once
#include <cstdint>

namespace headroom::parallel {

using Index = std::int64_t;

enum class Stored : std::uint8_t { f32, f16, bf16, f8e4m3, i8 };

constexpr Index tile_keys = 128; // keys whose scores exist at the same time; a row of scores is that wide

// Rows that are wanted soon: they come into the cache, line by line, while others are multiplied.
struct Ahead {
    const void* const* row = nullptr;
    Index rows = 0, bytes = 0; // bytes of each
};

// Rows where a cache stores them. While one is multiplied, the row that lies `ahead` rows later comes into the cache.
struct StoredRows {
    const void* first = nullptr;      // of rows that all lie evenly apart, `stride` then not 0; or null, and then
    const void* const* row = nullptr; // pointers to them and to ahead + 4 more, which may be of any row
    Index stride = 0; // bytes from row to row, if those of the first four, the next four, … lie evenly apart; else 0
    Index ahead = 0;
};

struct Kernels {
    const char* name; // "avx512"
    Index lanes; // numbers in a vector; every `dim` is a multiple of it, every matrix of float is dense unless said

    // Stored numbers are unpacked fastest in an order of columns of their type: that in which `unpack` leaves them, `dot`
    // wants q, and `accumulate` leaves output. From the usual order to it, or `back`.
    void (*arrange)(Stored type, float* row, Index dim, bool back);
    void (*unpack)(Stored type, const void* const* row, Index rows, Index dim, float* out); // [rows, dim]

    // scores[r, j] = q[r] . keys[j] for q [rows, dim]; up to three more numbers are written behind the last
    void (*dot)(Stored type, const StoredRows& keys, Index count, const float* q, Index rows, Index dim,
                float* scores); // scores [rows, tile_keys]

    // output[r] += sum over j of weights[r, j] values[j]
    void (*accumulate)(Stored type, const StoredRows& values, Index count, const float* weights, Index rows, Index dim,
                       float* output); // weights [rows, tile_keys], output [rows, dim]

    // C [m, n] += A [m, k] B [k, n], or = without `add`; row strides a, b, c; n is a multiple of lanes
    void (*product)(const float* A, Index a, const float* B, Index b, float* C, Index c, Index m, Index n, Index k,
                    bool add, const Ahead& ahead);

    // The online softmax of each row of scores [rows, tile_keys], of so many keys: scores become exp(score - max), their sum
    // joins `sum`, and where max grows, `sum` and output [rows, dim] are scaled to the new one. -inf has weight exactly 0; NaN
    // stays. What lies behind the keys is overwritten.
    void (*softmax)(float* scores, Index rows, Index keys, float* max, float* sum, float* output, Index dim);

    void (*scale)(float* x, Index n, const float* factors); // x[i] *= factors[i]
    void (*times)(float* x, Index n, float factor);         // x[i] *= factor
    bool (*finite)(const float* x, Index n);                // none is infinite or NaN
    void (*soft_cap)(float* scores, Index n, float cap);    // x = cap tanh(x / cap)

    // out [dim, to], in the usual order
    void (*transpose)(Stored type, const void* const* row, Index rows, Index dim, float* out, Index to);

    // What the machine can do, for benchmarks: read so many bytes; and 2 * 24 * lanes operations per repetition.
    float (*read)(const void* from, Index bytes);
    float (*multiply_add)(Index repetitions);
};

} // namespace headroom::parallel
