// Each claim that an implementation does not make refuses a problem that needs it, by name.
#include "reference/contract/implementation.h"
#include "tests/support/catch.h"
#include "tests/support/small_problem.h"

using namespace headroom;

namespace {

const Claims modest{.value_dim_differs = true}; // what the small problem needs when it is not causal

std::string refusal(const Claims& claims, void (*change)(OwnedProblem&), void (*look)(AttentionProblem&) = nullptr)
{
    OwnedProblem owned = small_problem(DType::f32);
    owned.options.causal = Causal::none;
    change(owned);
    AttentionProblem problem = owned.problem();
    if (look) look(problem);
    CHECK(why_not(every_claim(), problem).empty()); // it is a valid problem
    return why_not(claims, problem);
}

const auto nothing = [](OwnedProblem&) {};

} // namespace

TEST_CASE("what is not claimed is refused by name")
{
    CHECK(refusal(modest, nothing).empty());
    CHECK(refusal({}, nothing) == "it needs values as wide as keys");
    CHECK(refusal(modest, [](auto& p) { p.options.causal = Causal::bottom_right; }) == "it has no causal mask");
    CHECK(refusal(modest, [](auto& p) { p.options.soft_cap = 2; }) == "it has no soft cap");
    CHECK(refusal(modest, [](auto& p) { p.bias = Tensor({1, 1, 1, 1}); }) == "it takes no bias");
    CHECK(refusal(modest, [](auto& p) { p.mask = Tensor({1, 1, 1, 1}); }) == "it takes no mask");
    CHECK(refusal(modest, [](auto& p) { p.sink_logits = {0, 0, 0, 0}; }) == "it takes no sink logits");
    CHECK(refusal(modest, [](auto& p) { p.kv_lengths = {5, 4}; }) == "it needs sequences of equal length");
    CHECK(refusal(modest, [](auto& p) { p.query_lengths = {3, 2}; }) == "it needs sequences of equal length");
    CHECK(refusal(modest, [](auto& p) { p.query_lengths = {3, 3}; }).empty());

    Claims causal = modest;
    causal.causal = true;
    CHECK(refusal(causal, [](auto& p) { p.options.causal = Causal::top_left; }) == "it does not align top-left");
    const auto window = [](OwnedProblem& p) { p.options = {.window = 2, .sinks = 1}; };
    CHECK(refusal(causal, window) == "it has no window");
    causal.window = true;
    CHECK(refusal(causal, window) == "it keeps no sink tokens");
    causal.sinks = true;
    CHECK(refusal(causal, window).empty());
}

TEST_CASE("layouts and types that are not claimed are refused by name")
{
    static const std::int32_t table[] = {0, 1};
    CHECK(refusal(modest, nothing, [](AttentionProblem& p) {
              p.kv.block_table = table;
              p.kv.blocks_per_sequence = 1;
          }) == "it reads no block table");
    static const Index evicted[] = {0, 3};
    CHECK(refusal(modest, nothing, [](AttentionProblem& p) { p.kv.evicted = evicted; }) ==
          "it does not know evicted positions");
    static const float scale = 2;
    CHECK(refusal(modest, nothing, [](AttentionProblem& p) { p.kv.v.scale = &scale; }) == "it applies no scales");

    Claims narrow = modest;
    narrow.kv_types = {DType::f16, DType::f32};
    CHECK(refusal(narrow, nothing).empty());
    CHECK(refusal(narrow, [](auto& p) { p.k = store(load(p.k), DType::bf16); }) == "it does not read bf16 keys");
    CHECK(refusal(narrow, [](auto& p) { p.v = store(load(p.v), DType::bf16); }) == "it does not read bf16 values");
    narrow.q_types = {DType::f32};
    CHECK(refusal(narrow, [](auto& p) { p.q = store(load(p.q), DType::f16); }) == "it does not read f16 queries");
    narrow.head_dims = {64, 128};
    CHECK(refusal(narrow, nothing) == "head_dim 4 is not among its sizes");
    narrow.head_dims = {4};
    narrow.most_queries = 2;
    CHECK(refusal(narrow, nothing) == "it takes at most 2 new tokens, not 3");
    narrow.most_queries = 3;
    narrow.largest_group = 1;
    CHECK(refusal(narrow, nothing) == "its largest group_size is 1, not 2");
    narrow.largest_group = 2;
    CHECK(refusal(narrow, nothing).empty());
}

TEST_CASE("running what is not claimed says who refuses and why, and what breaks the contract is another error")
{
    const Implementation modestly =
        implementation("modest", modest, [](const AttentionProblem&) { return AttentionStages{}; });
    OwnedProblem owned = small_problem(DType::f32);
    try {
        run(modestly, owned.problem());
        FAIL("was not refused");
    } catch (const Unsupported& refused) {
        CHECK(std::string(refused.what()) == "modest cannot compute this: it has no causal mask");
    }
    owned.options.window = -1;
    CHECK_THROWS_AS(run(modestly, owned.problem()), std::invalid_argument);
}

TEST_CASE("the stages stand in the order of computation")
{
    std::string names;
    for (const Stage& stage : stages()) names += std::string(stage.name) + " ";
    CHECK(names == "scores masked_scores row_max row_sum weights output lse ");
}
