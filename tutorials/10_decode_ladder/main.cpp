// The decode ladder on one problem: what each rung asks of memory, how it shares the work, and whether it is right.
#include "cuda/executor/tracer/tracing_executor.h"
#include "cuda/step.h"
#include "reference/attention/attention.h"
#include "reference/verification/recipe.h"
#include "tutorials/10_decode_ladder/watch.h"
#include <cmath>
#include <fmt/core.h>

using namespace headroom;
using namespace headroom::cuda;

constexpr Index H = 8, Hkv = 2, D = 64, lengths[] = {256, 64}, all_keys = Hkv * (lengths[0] + lengths[1]);

struct Counts { // of all kernels of a step
    Index read = 0, sectors = 0, ideal = 0, scratch = 0, conflicts = 0;
    std::map<unsigned, Index> block_reads; // bytes of K
};
Counts count(const std::vector<KernelTrace>& kernels)
{
    Counts all;
    for (const KernelTrace& kernel : kernels) {
        for (const TracedSite& site : kernel.sites) {
            const std::string where = site.buffer < 0 ? "shared" : kernel.buffers[std::size_t(site.buffer)].label;
            if (where == "shared") all.conflicts += site.wavefronts - site.ideal_wavefronts;
            if (where == "k" || where == "v") all.read += site.bytes;
            if (where == "k") all.sectors += site.sectors, all.ideal += site.ideal_sectors;
            if (where == "scores" || where == "weights" || where == "partial_output") all.scratch += 32 * site.sectors;
        }
        const auto k = std::ranges::find(kernel.buffers, "k", &TracedBuffer::label);
        if (k == kernel.buffers.end()) continue;
        for (unsigned b = 0; b < kernel.grid[0] * kernel.grid[1] * kernel.grid[2]; ++b) all.block_reads[b] = 0;
        for (const TracedBlock& block : kernel.blocks)
            if (block.buffer == k - kernel.buffers.begin()) all.block_reads[block.block] = block.bytes_read;
    }
    return all;
}

int right_numbers(const Tensor& found, const Tensor& wanted)
{
    int right = 0;
    for (std::size_t i = 0; i < wanted.values().size(); ++i)
        right += std::abs(found.values()[i] - wanted.values()[i]) <= 0.002; // weights and keys are short numbers
    return right;
}

void climb(const std::string& name, const KernelStep& step)
{
    Recipe recipe{.B = 2, .H = H, .Hkv = Hkv, .S = lengths[0], .D = D, .type = DType::f16, .q_type = DType::f16};
    recipe.lengths = {lengths[0], lengths[1]};
    if (name == "08_paged") recipe.block = 16;
    if (name == "09_quantised") recipe.type = DType::i8, recipe.scaling = Scaling::per_head_and_token;
    const PosedProblem posed(recipe);

    // Every access of every thread, told to the tracer.
    TracingExecutor traced;
    step.prepare(traced, posed.problem())->launch();
    const std::vector<KernelTrace> kernels = traced.take();
    const Counts counts = count(kernels);

    // Once more, watched; then the answer beside the library's.
    SimtExecutor executor;
    Watch watch;
    executor.observe(&watch);
    const auto run = step.prepare(executor, posed.problem());
    run->launch();
    const int right = right_numbers(run->stages().output, attention(posed.problem()).output);

    const Index row = D * byte_size(recipe.type);
    const auto per_key = [&](simt::Op op) { return double(watch.together[op]) / double(all_keys); };
    const auto [least, most] = std::ranges::minmax_element(counts.block_reads, {}, [](auto& b) { return b.second; });
    fmt::print("{:18}{:>7}{:>8}{:>8}{:>6}{:>7.1f}{:>9.1f}{:>9}{:>10.1f}{:>6.1f}{:>9}{:>11}{:>7}\n", name,
               kernels.size(), counts.block_reads.size(), least->second / row, most->second / row,
               double(counts.read) / double(2 * all_keys * row), double(counts.sectors) / double(counts.ideal),
               counts.scratch, per_key(simt::Op::shuffle), per_key(simt::Op::mma), watch.under_way, counts.conflicts,
               right);
}

int main()
{
    fmt::print("{} query heads, {} KV heads of {}; two sequences of {} and {} keys in f16 (09: i8)\n\n", H, Hkv, D,
               lengths[0], lengths[1]);
    fmt::print("{:18}{:>7}{:>8}{:>8}{:>6}{:>7}{:>9}{:>9}{:>10}{:>6}{:>9}{:>11}{:>7}\n", "", "kernels", "blocks",
               "fewest", "most", "reads", "sectors", "scratch", "shuffles", "mma", "copying", "conflicts", "right");
#define STEP(folder, file) STEP_##folder(file)
#define STEP_decode(file) climb(#file, decode_##file);
#define STEP_prefill(file) // chapter 11
#include "cuda/ladder.inc"
#undef STEP
}
