// The inner loops, written once; each instruction set's file includes this after it has said how many LANES a vector has.
#pragma once
#include "reference/parallel/kernels/accumulate.h"
#include "reference/parallel/kernels/dot.h"
#include "reference/parallel/kernels/limits.h"
#include "reference/parallel/kernels/product.h"
#include "reference/parallel/kernels/rows.h"
#include "reference/parallel/kernels/softmax.h"

namespace headroom::parallel {
namespace {

#define FOR_EACH_TYPE(call)                                                                                            \
    switch (type) {                                                                                                    \
    case Stored::f32: return call<F32> ARGUMENTS;                                                                      \
    case Stored::f16: return call<F16> ARGUMENTS;                                                                      \
    case Stored::bf16: return call<Bf16> ARGUMENTS;                                                                    \
    case Stored::f8e4m3: return call<F8e4m3> ARGUMENTS;                                                                \
    case Stored::i8: return call<I8> ARGUMENTS;                                                                        \
    }

void dot(Stored type, const StoredRows& keys, Index count, const float* q, Index rows, Index dim, float* scores)
{
#define ARGUMENTS (keys, count, q, rows, dim, scores)
    FOR_EACH_TYPE(dot_stored)
#undef ARGUMENTS
}
void accumulate(Stored type, const StoredRows& values, Index count, const float* weights, Index rows, Index dim,
                float* output)
{
#define ARGUMENTS (values, count, weights, rows, dim, output)
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
