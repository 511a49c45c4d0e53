// A kernel, and the machine that runs it without a GPU: every order of its threads, with and without a barrier.
#include "cuda/executor/simt/simt_executor.h"
#include "cuda/primitives/cuda.h"
#include "reference/attention/attention.h"
#include "reference/tensor/random.h"
#include <cmath>
#include <fmt/core.h>

using namespace headroom;
using namespace headroom::cuda;

constexpr int H = 4, S = 64, D = 64;

struct Params {
    const float *q, *K, *V; // [H, D], [S, D], [S, D]
    float* output;          // [H, D]
};

// What one thread does. 64 such threads are a block, and a block computes one head.
template <bool waits> __device__ void attend(const Params& p)
{
    SHARED_ARRAY(float, scores, [S]); // one for the block: what a thread writes, the others can read
    const int head = int(blockIdx.x), thread = int(threadIdx.x);

    // This thread's key: its score.
    float dot = 0;
    for (int d = 0; d < D; ++d) dot += p.q[head * D + d] * p.K[thread * D + d];
    scores[thread] = dot / 8;   // sqrt(D)
    if (waits) __syncthreads(); // nobody goes on before all scores are written

    // This thread's feature: one number of the output, from all scores.
    float max = -INFINITY, sum = 0, output = 0;
    for (int j = 0; j < S; ++j) max = fmaxf(max, scores[j]);
    for (int j = 0; j < S; ++j) {
        const float weight = expf(scores[j] - max);
        sum += weight;
        output += weight * p.V[j * D + thread];
    }
    p.output[head * D + thread] = output / sum;
}
KERNEL(chapter_09_attend, Params, 64, attend<true>)
KERNEL(chapter_09_hasty, Params, 64, attend<false>)

std::vector<float> floats(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

int main()
{
    Random random(9);
    const Tensor q = random_normal({1, H, 1, D}, random), k = random_normal({1, 1, S, D}, random);
    const Tensor v = random_normal({1, 1, S, D}, random);
    const Index length = S;
    const KvView kv{.k = view(k), .v = view(v), .sequences = 1, .length = &length};
    const Tensor wanted = attention({.q = view(q), .kv = kv, .options = {}}).output;

    const auto right_numbers = [&](const Kernel<Params>& kernel, simt::Schedule schedule) {
        SimtExecutor executor({.schedule = schedule, .seed = 9});
        const Buffer<float> q_(executor, floats(q), "q"), k_(executor, floats(k), "k"), v_(executor, floats(v), "v");
        const Buffer<float> output(executor, H * D, "output");
        launch(executor, kernel, {.grid = {H}, .block = {D}}, {q_.data(), k_.data(), v_.data(), output.data()});
        const std::vector<float> found = output.read();
        int right = 0;
        for (std::size_t i = 0; i < found.size(); ++i) right += std::abs(found[i] - wanted.values()[i]) <= 1e-5;
        return right;
    };

    fmt::print("{} blocks of {} threads; right numbers of {}\n", H, D, H * D);
    fmt::print("order of the threads      with barrier   without\n");
    using simt::Schedule;
    const std::pair<const char*, Schedule> orders[] = {{"first to last", Schedule::forward},
                                                       {"last to first", Schedule::reverse},
                                                       {"first as far as it can", Schedule::ahead},
                                                       {"any", Schedule::random}};
    for (const auto& [name, schedule] : orders)
        fmt::print("{:25} {:12} {:9}\n", name, right_numbers(chapter_09_attend_kernel, schedule),
                   right_numbers(chapter_09_hasty_kernel, schedule));
}
