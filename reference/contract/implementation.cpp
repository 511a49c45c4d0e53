#include "reference/contract/implementation.h"

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

template <class T> bool within(const std::vector<T>& list, const T& value)
{
    return list.empty() || std::ranges::count(list, value);
}

// An implementation that needs no preparation: launch() calls it, stages() hands over what it returned.
class Called : public PreparedAttention {
public:
    Called(AttentionFunction attention, const AttentionProblem& problem)
        : attention_(std::move(attention)), problem_(problem)
    {}
    void launch() override { result_ = attention_(problem_); }
    AttentionStages stages() override { return result_; }

private:
    AttentionFunction attention_;
    AttentionProblem problem_;
    AttentionStages result_;
};

} // namespace

std::string why_not(const Claims& claims, const AttentionProblem& problem)
{
    const AttentionShape shape = check(problem);
    const AttentionOptions& options = problem.options;
    const KvView& kv = problem.kv;
    if (!within(claims.kv_types, kv.k.type)) return "it does not read " + std::string(name(kv.k.type)) + " keys";
    if (!within(claims.q_types, problem.q.type))
        return "it does not read " + std::string(name(problem.q.type)) + " queries";
    if (!within(claims.head_dims, shape.D)) return "head_dim " + std::to_string(shape.D) + " is not among its sizes";
    if (claims.most_queries && shape.L > claims.most_queries)
        return "it takes at most " + std::to_string(claims.most_queries) + " new tokens";
    if (claims.largest_group && shape.group_size() > claims.largest_group)
        return "its largest group_size is " + std::to_string(claims.largest_group);
    if (!claims.value_dim_differs && shape.Dv != shape.D) return "it needs values as wide as keys";
    if (!claims.causal && options.causal != Causal::none) return "it has no causal mask";
    if (!claims.window && options.window) return "it has no window";
    if (!claims.sinks && options.sinks) return "it keeps no sink tokens";
    if (!claims.soft_cap && options.soft_cap > 0) return "it has no soft cap";
    if (!claims.bias && problem.bias) return "it takes no bias";
    if (!claims.mask && problem.mask) return "it takes no mask";
    if (!claims.sink_logits && !problem.sink_logits.empty()) return "it takes no sink logits";
    if (!claims.block_table && kv.block_table) return "it reads no block table";
    if (!claims.eviction && kv.evicted) return "it does not know evicted positions";
    if (!claims.scales && (kv.k.scale || kv.v.scale)) return "it applies no scales";
    if (!claims.ragged && (problem.query_length ||
                           std::any_of(kv.length, kv.length + kv.sequences, [&](Index n) { return n != shape.S; })))
        return "it needs sequences of equal length";
    return {};
}

AttentionStages run(const Implementation& implementation, const AttentionProblem& problem)
{
    const std::string reason = why_not(implementation.claims, problem);
    if (!reason.empty()) throw Unsupported(implementation.name + " cannot compute this: " + reason);
    const auto prepared = implementation.prepare(problem);
    prepared->launch();
    return prepared->stages();
}

Implementation implementation(std::string name, Claims claims, AttentionFunction attention)
{
    return {std::move(name), "cpu", std::move(claims),
            [attention = std::move(attention)](const AttentionProblem& problem) {
                return std::unique_ptr<PreparedAttention>(std::make_unique<Called>(attention, problem));
            }};
}

} // namespace headroom
