// A step of the ladder: what it promises, and how a problem is made ready for its kernels.
#pragma once
#include "cuda/executor/executor.h"
#include "cuda/primitives/softmax_state.h"
#include "reference/contract/implementation.h"
#include "reference/contract/kernel_trace.h"
#include <functional>

namespace headroom::cuda {

class StepRun;
struct KernelStep {
    std::string_view idea;
    Claims claims;
    std::unique_ptr<StepRun> (*prepare)(Executor& executor, const AttentionProblem& problem);
};

Claims simple_claims(); // of the steps on CUDA cores: every option, f32, f16 and bf16
Claims tensor_claims(); // of the steps on tensor cores: f16 and bf16, D 64 or 128, no bias, mask or block table

// A problem in an executor's memory, with room for the answer. Steps derive from it and launch their kernels.
class StepRun : public PreparedAttention {
public:
    enum class Queries { as_float, as_stored };
    StepRun(Executor& executor, const AttentionProblem& problem, Queries queries = Queries::as_float);
    ~StepRun() override;
    AttentionStages stages() override;            // output and lse
    virtual PartialResults parts() { return {}; } // of the last launch, where blocks share the keys of a row

protected:
    Executor& executor;
    AttentionShape shape;
    std::vector<Index> lengths; // [B] of keys
    DeviceProblem device{};
    DType q_type;
    void refuse_if(bool condition, const std::string& reason) const;  // throws Unsupported
    void refuse_unaligned_rows() const;                               // for steps that read 16 bytes at a time
    Index query_rows() const { return shape.L * shape.group_size(); } // that share a KV head
    std::size_t rows() const { return static_cast<std::size_t>(shape.B * shape.H * shape.L); }

private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

// What lies in [splits, B, H, L, D] and [splits, B, H, L]; split s of sequence b holds keys_of(b, s).
struct Keys {
    Index from, to;
};
PartialResults split_parts(const AttentionShape& shape, Index splits, const Buffer<float>& output,
                           const Buffer<SoftmaxState>& state, const std::function<Keys(Index b, Index split)>& keys_of,
                           bool block_per_query = false);

// A step whose blocks each walk a part of a sequence and leave the merging to a second kernel.
class SplitRun : public StepRun {
public:
    PartialResults parts() override;

protected:
    SplitRun(Executor& on, const AttentionProblem& problem, int tile); // two tiles or more for each split
    Parts places() const { return {splits_, output_.data(), state_.data()}; }

    template <class Params>
    void launch_split(const Kernel<Params>& walk, const Kernel<Params>& combine, unsigned threads, std::size_t shared,
                      const Params& params)
    {
        const auto one_each = [](Index n) { return static_cast<unsigned>(n); };
        if (rows() == 0) return;
        const Dim grid{one_each(splits_), one_each(shape.Hkv), one_each(shape.B)};
        cuda::launch(executor, walk, {.grid = grid, .block = {threads}, .dynamic_shared = shared}, params);
        cuda::launch(executor, combine, {.grid = {one_each(shape.B * shape.H * shape.L)}, .block = {128}}, params);
    }

private:
    int tile_, splits_;
    Buffer<float> output_;
    Buffer<SoftmaxState> state_;
};

// A step whose blocks share all tiles evenly: decode/07 and after.
class BalancedRun : public StepRun {
public:
    PartialResults parts() override;

protected:
    BalancedRun(Executor& on, const AttentionProblem& problem, int tile);
    BalancedWork work() const;

    template <class Params>
    void launch_balanced(const Kernel<Params>& kernel, unsigned threads, std::size_t shared, const Params& params)
    {
        if (rows() == 0) return;
        cuda::launch(executor, kernel, {.grid = {blocks_}, .block = {threads}, .dynamic_shared = shared}, params);
    }

private:
    int tile_;
    std::vector<int> starts_;
    Index units_;
    unsigned blocks_;
    Buffer<int> tile_start_;
    Buffer<float> output_;
    Buffer<SoftmaxState> state_;
    Buffer<unsigned> arrived_;
};

template <class Run> std::unique_ptr<StepRun> prepare_step(Executor& executor, const AttentionProblem& problem)
{
    return std::make_unique<Run>(executor, problem);
}

inline unsigned blocks(Index n, Index per_block) // at least one
{
    return static_cast<unsigned>(n <= per_block ? 1 : (n + per_block - 1) / per_block);
}

template <class Params>
Kernel<Params> for_type(DType type, const Kernel<Params>& f32, const Kernel<Params>& f16, const Kernel<Params>& bf16)
{
    return type == DType::f32 ? f32 : type == DType::f16 ? f16 : bf16;
}

template <class T> Tensor tensor(const Buffer<T>& buffer, Shape shape)
{
    const std::vector<T> values = buffer.read();
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()));
}

#define STEP(folder, file) extern const KernelStep folder##_##file;
#include "cuda/ladder.inc"
#undef STEP

} // namespace headroom::cuda
