#include "experiments/tracing.h"

#include "reference/contract/implementation.h"
#include "reference/contract/problem_file.h"
#include "reference/verification/recipe.h"
#include <algorithm>
#include <cmath>
#include <fnmatch.h>
#include <stdexcept>

namespace headroom {
namespace {

// Where in the buffer of a part each key's row begins.
Tensor row_offsets(const KvView& kv, const StoredView& part, const AttentionShape& shape)
{
    Tensor offsets({shape.B, shape.Hkv, shape.S}, -1);
    for (Index b = 0; b < shape.B; ++b)
        for (Index hkv = 0; hkv < shape.Hkv; ++hkv)
            for (Index j = 0; j < kv.length[b]; ++j) {
                const Place at = place(kv, b, j);
                offsets(b, hkv, j) = static_cast<double>(at.block * part.byte_stride[0] + hkv * part.byte_stride[1] +
                                                         at.slot * part.byte_stride[2]);
            }
    return offsets;
}

// How much of a row's softmax each part holds: sum * exp(max - lse). Those of a row add up to one.
Tensor shares(const PartialResults& partial)
{
    Tensor share(partial.max.shape(), 0);
    const auto per_row = [&](Index b, Index hkv, Index g, Index i, auto visit) {
        for (std::size_t n = 0; n < partial.parts.size(); ++n)
            if (partial.parts[n].b == b && partial.parts[n].hkv == hkv) visit(static_cast<Index>(n), g, i);
    };
    for (const KernelPart& part : partial.parts)
        for (Index g = 0; g < share.extent(1); ++g)
            for (Index i = 0; i < share.extent(2); ++i) {
                double max = -INFINITY, sum = 0;
                const auto weight = [&](Index n) {
                    return partial.sum(n, g, i) > 0 ? partial.sum(n, g, i) * std::exp(partial.max(n, g, i) - max) : 0;
                };
                per_row(part.b, part.hkv, g, i,
                        [&](Index n, Index, Index) { max = std::max(max, partial.max(n, g, i)); });
                per_row(part.b, part.hkv, g, i, [&](Index n, Index, Index) { sum += weight(n); });
                if (sum > 0)
                    per_row(part.b, part.hkv, g, i, [&](Index n, Index, Index) { share(n, g, i) = weight(n) / sum; });
            }
    return share;
}

Recipe recipe_for(const TraceSettings& s, const Claims& claims)
{
    Recipe r{.B = s.batch, .H = s.q_heads, .Hkv = s.kv_heads, .L = s.queries, .S = s.keys, .D = s.head_dim};
    r.type = s.kv_type != "auto"       ? dtype_from_name(s.kv_type)
             : claims.kv_types.empty() ? DType::f32
                                       : claims.kv_types[0];
    const bool eight_bit = byte_size(r.type) == 1;
    r.q_type = !eight_bit ? r.type : claims.q_types.empty() ? DType::f32 : claims.q_types[0];
    if (eight_bit && claims.scales) r.scaling = Scaling::per_head_and_token;
    r.block = s.page;
    r.options = s.options;
    r.seed = s.seed;
    return r;
}

void check_sizes(const TraceSettings& s)
{
    for (const auto& [name, size, least] : {std::tuple{"--batch", s.batch, Index{1}},
                                            {"--q-heads", s.q_heads, 1},
                                            {"--kv-heads", s.kv_heads, 1},
                                            {"--queries", s.queries, 1},
                                            {"--keys", s.keys, 0},
                                            {"--head-dim", s.head_dim, 1},
                                            {"--page", s.page, 0},
                                            {"--blocks", s.event_blocks, 0}})
        if (size < least || size > 1 << 20)
            throw std::invalid_argument(std::string(name) + " is " + std::to_string(size) + "; it can be " +
                                        std::to_string(least) + " to 1048576");
}

// Every access of every thread is told: problems of more numbers take minutes and gigabytes.
void check_amount(const TraceSettings& s)
{
    constexpr Index most = Index{1} << 26;
    const auto check = [&](const char* what, std::initializer_list<Index> sizes) {
        Index count = 1;
        for (const Index size : sizes) count = size > 0 && count > most / size ? most + 1 : count * size;
        if (count > most)
            throw std::invalid_argument(std::string("these sizes give more than ") + std::to_string(most) +
                                        " numbers in " + what + ", too many to trace");
    };
    check("K", {s.batch, s.kv_heads, s.keys, s.head_dim});
    check("Q", {s.batch, s.q_heads, s.queries, s.head_dim});
    check("the scores", {s.batch, s.q_heads, s.queries, s.keys});
}

} // namespace

TracedStep traced(const cuda::TraceableStep& step, const AttentionProblem& problem, Index event_blocks)
{
    const AttentionShape shape = check(problem);
    cuda::StepTrace trace = step.trace(problem, static_cast<unsigned>(event_blocks));
    TracedStep t{.step = step.name, .idea = step.idea, .shape = shape, .type = problem.kv.k.type};
    t.lengths.assign(problem.kv.length, problem.kv.length + problem.kv.sequences);
    t.k_row = row_offsets(problem.kv, problem.kv.k, shape);
    t.v_row = row_offsets(problem.kv, problem.kv.v, shape);
    t.launches = std::move(trace.launches);
    if (!trace.partial.parts.empty()) {
        t.part_share = shares(trace.partial);
        t.parts = std::move(trace.partial.parts);
        t.part_max = std::move(trace.partial.max);
        t.part_sum = std::move(trace.partial.sum);
        t.part_output = std::move(trace.partial.output);
    }
    t.output = std::move(trace.stages.output);
    t.lse = std::move(trace.stages.lse);
    return t;
}

Traces trace(const TraceSettings& settings)
{
    check_sizes(settings);
    check_amount(settings);
    Traces traces;
    traces.recording.title = "the kernels' ladder under the tracer";
    OwnedProblem owned;
    if (!settings.problem.empty()) {
        owned = read_problem(settings.problem);
        owned.options = settings.options;
    }
    for (const cuda::TraceableStep& step : cuda::traceable_steps()) {
        if (fnmatch(settings.implementations.c_str(), step.name.c_str(), 0) != 0) continue;
        try {
            if (!settings.problem.empty()) {
                traces.recording.kernels.push_back(traced(step, owned.problem(), settings.event_blocks));
            } else {
                const PosedProblem posed(recipe_for(settings, step.claims));
                traces.recording.kernels.push_back(traced(step, posed.problem(), settings.event_blocks));
            }
        } catch (const Unsupported& refusal) {
            traces.refused.push_back({step.name, refusal.what()});
        }
    }
    if (!traces.recording.kernels.empty()) return traces;
    if (traces.refused.empty())
        throw std::invalid_argument("--impl '" + settings.implementations + "' matches no step of the ladder");
    throw std::invalid_argument(traces.refused.front().reason);
}

} // namespace headroom
