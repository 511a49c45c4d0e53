// The fast path behind five C functions, so that Python can launch it beside its peers, in one process on the same memory.
#include "reference/parallel/prepared.h"
#include <exception>
#include <string>

namespace {

using namespace headroom;

thread_local std::string failure;

struct Ready {
    std::vector<Index> lengths;
    std::unique_ptr<ParallelAttention> attention;
};

DType type_of(int bits) { return bits == 32 ? DType::f32 : DType::bf16; }

} // namespace

extern "C" {

const char* headroom_failure() { return failure.c_str(); } // of the last headroom_prepare() that gave null

// q [B, H, L, D], k and v [B, Hkv, S, D], dense, of f32 (bits 32) or bf16 (bits 16); causal. They stay where they are.
void* headroom_prepare(const void* q, const void* k, const void* v, Index B, Index H, Index Hkv, Index L, Index S,
                       Index D, int bits, int threads)
{
    try {
        const DType type = type_of(bits);
        const auto dense = [&](const void* data, Index heads, Index tokens) {
            return dense_view(static_cast<const std::byte*>(data), {B, heads, tokens, D}, type);
        };
        auto ready = std::make_unique<Ready>();
        ready->lengths.assign(static_cast<std::size_t>(B), S);
        AttentionProblem problem{.q = dense(q, H, L), .kv = {}, .options = {}};
        problem.kv.k = dense(k, Hkv, S);
        problem.kv.v = dense(v, Hkv, S);
        problem.kv.sequences = B;
        problem.kv.length = ready->lengths.data();
        ready->attention = prepare_parallel(problem, {.threads = threads});
        return ready.release();
    } catch (const std::exception& error) {
        failure = error.what();
        return nullptr;
    }
}

void headroom_launch(void* ready) { static_cast<Ready*>(ready)->attention->launch(); }

const float* headroom_output(void* ready) // [B, H, L, D], until the next launch
{
    return static_cast<Ready*>(ready)->attention->output().data();
}

void headroom_free(void* ready) { delete static_cast<Ready*>(ready); }

} // extern "C"
