#include "reference/contract/implementation.h"

#include <utility>

namespace headroom {
namespace {

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
