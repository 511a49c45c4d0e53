// Fault 22: offsets that 32 bits cannot hold. Every step must give the bits of the same rows side by side, and the cache
// kernels must find the same places.
#include "cuda/executor/ptx/ptx_executor.h"
#include "cuda/executor/simt/simt_executor.h"
#include "cuda/kv_cache/cache_kernels.h"
#include "cuda/primitives/kv_row.h"
#include "cuda/step.h"
#include "tests/cuda/support/far_rows.h"
#include "tests/support/catch.h"

#include <cstring>
#include <iostream>

extern "C" void kv_cache_expand(const void*);

using namespace headroom;
using namespace headroom::cuda;

namespace {

struct NamedStep {
    std::string name;
    const KernelStep& step;
};
std::vector<NamedStep> all_steps()
{
    return {
#define STEP(folder, file) {#folder "/" #file, folder##_##file},
#include "cuda/ladder.inc"
#undef STEP
    };
}

AttentionStages run(const KernelStep& step, Executor& executor, const AttentionProblem& problem)
{
    const auto prepared = step.prepare(executor, problem);
    prepared->launch();
    return prepared->stages();
}

// How many steps ran, in rows of sequences or, through a table, of pages.
template <class Base> int expect_same_bits(bool paged)
{
    int ran = 0;
    for (const auto& [name, step] : all_steps()) {
        const bool is_ptx = std::is_same_v<Base, PtxExecutor>;
        if (is_ptx && (name == "decode/10_tma_ring" || name == "prefill/05_flash_wgmma")) continue;
        if (paged && !step.claims.block_table) continue;
        const PosedProblem posed(two_of_each(step.claims.kv_types.back(), step.claims.q_types.back()));
        AttentionProblem compact = posed.problem();
        const std::int32_t pages[] = {1, 0};
        if (paged) compact.kv.block_table = pages, compact.kv.blocks_per_sequence = 1;
        FarExecutor<Base> executor;
        const AttentionStages want = run(step, executor, compact);
        for (const FarAxis axis : {FarAxis::sequence, FarAxis::head, FarAxis::key}) {
            INFO(name << (paged ? ", pages" : "") << ", axis " << static_cast<int>(axis));
            const FarRows far(compact, axis);
            const AttentionStages got = run(step, executor, far.problem());
            CHECK(std::ranges::equal(got.output.values(), want.output.values()));
            CHECK(std::ranges::equal(got.lse.values(), want.lse.values()));
        }
        ++ran;
    }
    return ran;
}

} // namespace

TEST_CASE("22: rows beyond what 32 bits count give the bits of rows side by side")
{
    CHECK(expect_same_bits<SimtExecutor>(false) == 15);
    CHECK(expect_same_bits<SimtExecutor>(true) == 9); // 01 to 04, 08, 09; prefill 01 to 03
}

TEST_CASE("22: so do they in the PTX that nvcc made")
{
    if (const std::string reason = why_absent(ExecutorKind::ptx); !reason.empty()) {
        std::cout << "SKIPPED: " << reason << "\n";
        return;
    }
    CHECK(expect_same_bits<PtxExecutor>(false) == 13); // the interpreter has no tensor maps and no wgmma
    CHECK(expect_same_bits<PtxExecutor>(true) == 9);
}

TEST_CASE("22: append and quantise-append find places beyond what 32 bits count")
{
    constexpr int D = 64;
    std::vector<float> rows(2 * 2 * D); // [B 1, Hkv 2, new 2, D]
    for (std::size_t n = 0; n < rows.size(); ++n) rows[n] = static_cast<float>(n % 127) + 1;
    for (const int axis : {1, 2})
        for (const DType type : {DType::f32, DType::i8}) {
            FarExecutor<SimtExecutor> executor;
            const bool i8 = type == DType::i8;
            Buffer<std::byte> cache(executor, std::size_t{far_apart} + 4096, "cache");
            Buffer<float> from(executor, std::span<const float>(rows), "rows"),
                scales(executor, std::size_t{far_apart} / sizeof(float) + 4, "scales");
            Buffer<Index> length(executor, std::vector<Index>{0}, "length");
            const StoredTensor shape({1, 2, 2, D}, type, i8 ? Scaling::per_head_and_token : Scaling::none);
            NewRows n{from.data(), shape.view(), length.data(), nullptr, 0, 1, 2, 2, D};
            n.part.data = cache.data(), n.part.scale = scales.data();
            n.part.byte_stride[axis] = far_apart, n.part.scale_stride[axis] = far_apart / Index{sizeof(float)};
            i8 ? quantise_append(executor, n) : append(executor, n);
            executor.finish();
            for (Index h = 0; h < 2; ++h)
                for (Index j = 0; j < 2; ++j) {
                    const std::byte* stored = cache.data() + byte_offset(n.part, 0, h, j);
                    const float* row = rows.data() + (h * 2 + j) * D;
                    const float largest = *std::max_element(row, row + D);
                    if (i8)
                        CHECK(std::count(stored, stored + D, std::byte{127}) == std::count(row, row + D, largest));
                    else
                        CHECK(std::memcmp(stored, row, D * sizeof(float)) == 0);
                    if (i8) CHECK(scales.data()[scale_offset(n.part, 0, h, j)] == largest / 127);
                }
        }
}

TEST_CASE("22: expand repeats heads of 16 gigabytes")
{
    constexpr Index B = 2, Hkv = 2, group = 2;
    FarExecutor<SimtExecutor> executor;
    Buffer<std::byte> from(executor, std::size_t{B * Hkv * far_apart}, "from"),
        to(executor, std::size_t{B * Hkv * group * far_apart}, "to");
    for (Index head = 0; head < B * Hkv; ++head) from.data()[head * far_apart] = std::byte(head + 1);
    const Expansion e{from.data(), to.data(), B, Hkv, group, far_apart};
    // The first 2048 bytes of each head: all blocks would be millions.
    executor.launch({"kv_cache_expand", &kv_cache_expand, 128}, {.grid = {1, Hkv * group, B}, .block = {128}}, &e,
                    sizeof e);
    for (Index head = 0; head < B * Hkv * group; ++head)
        CHECK(to.data()[head * far_apart] == std::byte(head / group + 1));
}

TEST_CASE("22: index arithmetic at the sizes that were reported")
{
    const auto* base = reinterpret_cast<const std::byte*>(std::uintptr_t{4096}); // nobody looks there
    KvView kv;
    kv.k.data = base;
    kv.k.byte_stride[0] = Index{131072} * 8 * 128 * 2, kv.k.byte_stride[1] = 128 * 2, kv.k.byte_stride[2] = 8 * 128 * 2;
    kv.k.extent[2] = 131072;
    const auto offset = [&](int b, int hkv, Index j) { return kv_row<std::byte>(kv, kv.k, b, hkv, j) - base; };
    CHECK(offset(15, 7, 131071) == (Index{1} << 32) - 256); // 16 * 131072 * 8 * 128 elements of two bytes

    const std::int32_t pages[] = {7767, 7768}; // of 480 rows of 576 numbers of one byte
    kv.block_table = pages, kv.blocks_per_sequence = 2;
    kv.k.extent[2] = 480, kv.k.byte_stride[0] = 480 * 576, kv.k.byte_stride[1] = 0, kv.k.byte_stride[2] = 576;
    CHECK(offset(0, 0, 0) == 2147420160);
    CHECK(offset(0, 0, 480) == 2147696640);

    DeviceProblem p{}; // queries and outputs: the last row of 128 * 64 * 4096
    p.H = 64, p.L = 4096;
    CHECK(row_of(p, base, 127, 63, 4095, 128) - base == (Index{1} << 32) - 128);
}
