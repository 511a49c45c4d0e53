#include "reference/parallel/parallel_attention.h"

#include "reference/parallel/block_attention.h"
#include "reference/parallel/careful_row.h"
#include "reference/parallel/instruction_sets.h"
#include "reference/parallel/prepared.h"
#include "reference/parallel/thread_pool.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom {
namespace parallel {
namespace {

class Prepared : public ParallelAttention {
public:
    Prepared(const AttentionProblem& problem, const ParallelOptions& options, const ParallelMemory& memory)
        : problem_(problem), shape_(check(problem)), pool_(thread_pool(options.threads)),
          kernels_(kernels(options.instruction_set)), attention_(problem_, shape_, kernels_),
          work_(split(problem_, shape_, pool_.threads())),
          output_(shape_.B * shape_.H * shape_.L * (shape_.Dv + 3), memory.output)
    {
        Index rows = 0, keys = 0, parts_memory = 0;
        for (const QueryBlock& block : work_.blocks) {
            rows = std::max(rows, rows_of(block)), keys = std::max(keys, block.keys.count());
            part_memory_.push_back(parts_memory);
            if (block.parts == 1) continue;
            parts_memory += block.parts * RowStates::floats(rows_of(block), dim());
            for (Index row = 0; row < rows_of(block); row += rows_of_a_merge)
                merges_.push_back({static_cast<Index>(part_memory_.size()) - 1, row});
        }
        parts_ = FloatBuffer(parts_memory, memory.tiles);
        scratch_of_one_ = whole_lines(attention_.scratch_floats(rows, keys)) + RowStates::floats(rows, dim());
        scratch_ = FloatBuffer(threads() * scratch_of_one_, memory.tiles);
    }

    void launch() override
    {
        const auto run = [this](std::size_t items, const ThreadPool::Task& task, std::span<const Index> begins = {}) {
            if (threads() > 1) return pool_.run(static_cast<Index>(items), task, begins);
            for (std::size_t item = 0; item < items; ++item) task(static_cast<Index>(item), 0);
        };
        const auto compute_share = [this](Index item, int thread) { compute(item, thread); };
        const auto merge_rows = [this](Index item, int) { merge(merges_[static_cast<std::size_t>(item)]); };
        run(work_.shares.size(), compute_share, work_.begins);
        run(merges_.size(), merge_rows);
    }

    std::span<const float> output() const override
    {
        return {output_.data(), static_cast<std::size_t>(shape_.B * shape_.H * shape_.L * shape_.Dv)};
    }

    AttentionStages stages() override
    {
        const auto [B, H, Hkv, L, S, D, Dv] = shape_;
        AttentionStages all{.scores = {},
                            .masked_scores = {},
                            .row_max = Tensor({B, H, L}),
                            .row_sum = Tensor({B, H, L}),
                            .weights = {},
                            .output = Tensor({B, H, L, Dv}),
                            .lse = Tensor({B, H, L})};
        const Index rows = B * H * L;
        std::copy_n(output_.data(), rows * Dv, all.output.values().begin());
        std::copy_n(row_max(0), rows, all.row_max.values().begin());
        std::copy_n(row_max(rows), rows, all.row_sum.values().begin());
        std::copy_n(row_max(2 * rows), rows, all.lse.values().begin());
        return all;
    }

private:
    Index dim() const { return attention_.value_dim(); }
    Index threads() const { return static_cast<Index>(work_.begins.size()); }
    Index rows_of(const QueryBlock& block) const { return (block.last - block.first) * shape_.group_size(); }
    float* row_max(Index row) const { return output_.data() + shape_.B * shape_.H * shape_.L * shape_.Dv + row; }

    void compute(Index item, int thread)
    {
        const Share& share = work_.shares[static_cast<std::size_t>(item)];
        const QueryBlock& block = work_.blocks[static_cast<std::size_t>(share.block)];
        const Index rows = rows_of(block), floats = RowStates::floats(rows, dim());
        float* const scratch = scratch_.data() + thread * scratch_of_one_;
        const RowStates states =
            block.parts == 1 ? RowStates::in(scratch, rows, dim()) : part(share.block, item - block.part_one);
        attention_.compute(block, share.from, share.to, states, scratch + floats);
        if (block.parts == 1) finish(block, 0, states);
    }

    RowStates part(Index block, Index n) const
    {
        const auto at = static_cast<std::size_t>(block);
        const Index rows = rows_of(work_.blocks[at]);
        return RowStates::in(parts_.data() + part_memory_[at] + n * RowStates::floats(rows, dim()), rows, dim());
    }

    // Some rows of a block whose keys were shared out.
    struct Merge {
        Index block, row;
    };
    static constexpr Index rows_of_a_merge = 4;

    void merge(const Merge& m)
    {
        const QueryBlock& block = work_.blocks[static_cast<std::size_t>(m.block)];
        const Index rows = std::min(rows_of_a_merge, rows_of(block) - m.row);
        const RowStates all = part(m.block, 0).some(m.row, rows);
        for (Index n = 1; n < block.parts; ++n) all.merge(part(m.block, n).some(m.row, rows));
        finish(block, m.row, all);
    }

    void finish(const QueryBlock& block, Index row, const RowStates& states)
    {
        const Index group = shape_.group_size();
        for (Index r = 0; r < states.rows; ++r) {
            const Index i = block.first + (row + r) / group, h = block.hkv * group + (row + r) % group;
            finish_row(block.b, h, i, states.max[r], states.sum[r], states.output + r * dim());
        }
    }

    // Divides by the sum, which a learned sink enters here and only here.
    void finish_row(Index b, Index h, Index i, float max, float sum, float* weighted)
    {
        if (!kernels_.finite(weighted, dim()) || !std::isfinite(sum) || std::isnan(max)) {
            const CarefulRow exact = careful_row(problem_, b, h, i);
            max = static_cast<float>(exact.max), sum = static_cast<float>(exact.sum);
            std::ranges::transform(exact.output, weighted, [](double x) { return static_cast<float>(x); });
        }
        const float infinity = std::numeric_limits<float>::infinity();
        const auto sink = problem_.sink_logits.empty()
                              ? -infinity
                              : static_cast<float>(problem_.sink_logits[static_cast<std::size_t>(h)]);
        float shrink = 1;
        if (sink > max) {
            shrink = std::exp(max - sink);
            max = sink;
        }
        sum *= shrink;
        if (sink > -infinity) sum += std::exp(sink - max);

        const Index row = (b * shape_.H + h) * shape_.L + i, rows = shape_.B * shape_.H * shape_.L;
        float* const output = output_.data() + row * shape_.Dv;
        const float factor = sum == 0 ? 0 : shrink / sum;
        kernels_.times(weighted, dim(), factor);
        std::copy_n(weighted, shape_.Dv, output);
        *row_max(row) = max;
        *row_max(rows + row) = sum;
        *row_max(2 * rows + row) = max + std::log(sum);
    }

    AttentionProblem problem_;
    AttentionShape shape_;
    ThreadPool& pool_;
    const Kernels& kernels_;
    BlockAttention attention_;
    Work work_;
    std::vector<Index> part_memory_; // [blocks] where a block's parts begin
    std::vector<Merge> merges_;
    FloatBuffer output_, parts_; // output_: [B, H, L, Dv], then row_max, row_sum and lse [B, H, L]
    FloatBuffer scratch_;        // [threads, scratch_of_one_]
    Index scratch_of_one_ = 0;
};

} // namespace
} // namespace parallel

Claims parallel_claims()
{
    Claims claims = every_claim();
    claims.kv_types = {DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::i8};
    return claims;
}

std::unique_ptr<ParallelAttention> prepare_parallel(const AttentionProblem& problem, const ParallelOptions& options,
                                                    const ParallelMemory& memory)
{
    return std::make_unique<parallel::Prepared>(problem, options, memory);
}

Implementation parallel_implementation(const ParallelOptions& options)
{
    parallel::kernels(options.instruction_set); // refuse now, not when a problem comes
    return {"parallel", "cpu", parallel_claims(), [options](const AttentionProblem& problem) {
                return std::unique_ptr<PreparedAttention>(prepare_parallel(problem, options));
            }};
}

} // namespace headroom
