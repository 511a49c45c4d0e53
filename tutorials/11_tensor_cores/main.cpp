// Where a warp keeps the numbers of a matrix; attention as two products of a warp, with its tiles laid out in two ways.
#include "cuda/executor/tracer/tracing_executor.h"
#include "cuda/primitives/swizzle.h"
#include "reference/attention/attention.h"
#include "reference/tensor/random.h"
#include "tutorials/11_tensor_cores/fragments.h"
#include "tutorials/11_tensor_cores/one_warp.h"
#include <cmath>
#include <fmt/core.h>

using namespace headroom;
using namespace headroom::cuda;

struct OneAfterTheOther { // where chunk c of row r of a tile lies: rows of 128 bytes
    static int at(int row, int chunk) { return 128 * row + 16 * chunk; }
};
KERNEL(chapter_11_times_one, Fragments, 32, times_one)
KERNEL(chapter_11_plain, OneWarp, 32, attend<OneAfterTheOther>)
KERNEL(chapter_11_swizzled, OneWarp, 32, attend<Swizzled<128>>)

void print_fragments()
{
    SimtExecutor executor;
    const Buffer<std::uint32_t> before(executor, 32 * 4, "before"), after(executor, 32 * 4, "after");
    launch(executor, chapter_11_times_one_kernel, {.block = {32}}, {before.data(), after.data()});
    const std::vector<std::uint32_t> a = before.read(), accumulators = after.read();
    fmt::print("A[row][column] = 16 row + column\nlane       a[0]      a[1]      a[2]      a[3]\n");
    for (const std::size_t lane : {0u, 1u, 2u, 3u, 4u, 31u}) {
        fmt::print("{:4}", lane);
        for (std::size_t i = 4 * lane; i < 4 * lane + 4; ++i) {
            const float2 two = unpack2<F16>(a[i]);
            fmt::print("   {:3} {:3}", two.x, two.y);
        }
        fmt::print("\n");
    }
    int same = 0;
    for (std::size_t i = 0; i < a.size(); ++i) same += accumulators[i] == a[i];
    fmt::print("A times one: registers that equal those of A: {} of {}\n\n", same, a.size());
}

std::vector<std::uint16_t> halves(Tensor& tensor) // the tensor keeps what fits into 16 bits
{
    std::vector<std::uint16_t> bits;
    for (double& x : tensor.values()) {
        bits.push_back(simt::half_from_float(float(x)));
        x = double(simt::float_from_half(bits.back()));
    }
    return bits;
}

void print_banks(const char* layout, const Kernel<OneWarp>& kernel)
{
    Random random(11);
    Tensor q = random_normal({1, 1, L, D}, random), k = random_normal({1, 1, S, D}, random);
    Tensor v = random_normal({1, 1, S, D}, random);
    TracingExecutor executor;
    const Buffer<std::uint16_t> q_(executor, halves(q), "q"), k_(executor, halves(k), "k"),
        v_(executor, halves(v), "v");
    const Buffer<float> output(executor, L * D, "output");
    launch(executor, kernel, {.block = {32}}, {q_.data(), k_.data(), v_.data(), output.data()});

    const Index length = S;
    const KvView kv{.k = view(k), .v = view(v), .sequences = 1, .length = &length};
    const Tensor wanted = attention({.q = view(q), .kv = kv, .options = {.causal = Causal::none}}).output;
    const std::vector<float> found = output.read();
    int right = 0;
    for (std::size_t i = 0; i < found.size(); ++i) right += std::abs(found[i] - wanted.values()[i]) <= 0.002;

    Index loads = 0, wavefronts = 0, ideal = 0; // of shared memory
    const std::vector<KernelTrace> launches = executor.take();
    for (const TracedSite& site : launches.at(0).sites)
        if (site.space == Space::shared && site.op == headroom::Op::load)
            loads += site.requests, wavefronts += site.wavefronts, ideal += site.ideal_wavefronts;
    fmt::print("{:20} {:7} {:10} {:12} {:17}\n", layout, right, loads, wavefronts, ideal);
}

int main()
{
    print_fragments();
    fmt::print("{} queries, {} keys, D = {}; right numbers of {}, and reads of K and V from shared memory\n", L, S, D,
               L * D);
    fmt::print("tile                   right   ldmatrix   wavefronts   fewest possible\n");
    print_banks("one after the other", chapter_11_plain_kernel);
    print_banks("swizzled", chapter_11_swizzled_kernel);
}
