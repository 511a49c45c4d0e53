#include "tutorials/10_decode_ladder/exercise.h"
#include "tutorials/examiner.h"

#include "cuda/executor/fault.h"
#include "cuda/executor/tracer/tracing_executor.h"
#include "cuda/primitives/cuda.h"

using namespace headroom;
using namespace headroom::cuda;

struct Params {
    const float *q, *K; // [heads, features], [keys, features]
    float* scores;      // [heads, keys]
};
__device__ void score(const Params& p) { warp_scores(p.q, p.K, p.scores); }
KERNEL(chapter_10_score, Params, 32, score)

// Small integers, so that every order of additions gives the same bits.
std::vector<float> integers(int count, int seed)
{
    std::vector<float> list;
    for (int i = 0; i < count; ++i) list.push_back(float((i * seed + i / 7) % 9 - 4));
    return list;
}

int main()
{
    Examiner examiner;
    TracingExecutor executor;
    const std::vector<float> q = integers(heads * features, 5), K = integers(keys * features, 7);
    const Buffer<float> q_(executor, q, "q"), K_(executor, K, "K"), scores(executor, heads * keys, "scores");
    try {
        launch(executor, chapter_10_score_kernel, {.block = {32}}, {q_.data(), K_.data(), scores.data()});
    } catch (const Fault& fault) {
        examiner.that(false, fault.what());
    }
    const std::vector<float> found = scores.read();
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t j = 0; j < keys; ++j) {
            double dot = 0;
            for (std::size_t d = 0; d < features; ++d) dot += double(q[h * features + d] * K[j * features + d]);
            examiner.near("the score of key " + std::to_string(j) + " for head " + std::to_string(h),
                          double(found[h * keys + j]), dot);
        }

    Index bytes = 0, sectors = 0;
    for (const KernelTrace& kernel : executor.take())
        for (const TracedSite& site : kernel.sites)
            if (site.buffer >= 0 && kernel.buffers[std::size_t(site.buffer)].label == "K")
                bytes += site.bytes, sectors += site.sectors;
    examiner.near("the number of times that K is read", double(bytes) / (4 * keys * features), 1);
    examiner.near("the number of 32-byte sectors that the reads of K touch", double(sectors), keys * features * 4 / 32);
    return examiner.verdict("let a row's numbers go to neighbouring lanes, multiply them with all four heads' queries "
                            "while they are in registers, and add up over the warp with __shfl_xor_sync.\n");
}
