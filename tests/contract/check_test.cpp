// Every way to break the contract is refused, in words that name the tensor and the rule.
#include "tests/support/catch.h"
#include "tests/support/small_problem.h"
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

constexpr Index largest = std::numeric_limits<Index>::max();
constexpr double infinity = std::numeric_limits<double>::infinity(), NaN = std::numeric_limits<double>::quiet_NaN();

std::string complaint(const AttentionProblem& problem)
{
    try {
        check(problem);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

// What check() says about the small problem once `change` has been made to it.
template <class Change> std::string after(Change change)
{
    const OwnedProblem owned = small_problem();
    AttentionProblem problem = owned.problem();
    change(problem);
    return complaint(problem);
}

// The same for changes to what the problem refers to.
template <class Change> std::string after_owned(Change change)
{
    OwnedProblem owned = small_problem();
    change(owned);
    try {
        return complaint(owned.problem());
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

constexpr Index evicted[] = {0, -3}, huge[] = {largest, 0};

// All words occur, in any order.
void expect(const std::string& complaint, std::initializer_list<const char*> words)
{
    INFO(complaint);
    for (const char* word : words) {
        INFO(word);
        CHECK(complaint.find(word) != std::string::npos);
    }
}

} // namespace

TEST_CASE("a problem that keeps the contract has a shape")
{
    const OwnedProblem owned = small_problem();
    const AttentionShape s = check(owned.problem());
    CHECK(Shape{s.B, s.H, s.Hkv, s.L, s.S, s.D, s.Dv} == Shape{2, 4, 2, 3, 5, 4, 6});
    CHECK(s.group_size() == 2);
}

TEST_CASE("no key, no query and no length are fine")
{
    OwnedProblem none;
    none.q = store(Tensor({1, 2, 0, 4}), DType::f32);
    none.k = store(Tensor({1, 1, 0, 4}), DType::f32);
    none.v = store(Tensor({1, 1, 0, 4}), DType::f32);
    CHECK(complaint(none.problem()) == "accepted");
    CHECK(after_owned([](OwnedProblem& p) { p.kv_lengths = {0, 0}; }) == "accepted");
    CHECK(after_owned([](OwnedProblem& p) { p.query_lengths = {0, 3}; }) == "accepted");
}

TEST_CASE("S is what a problem file stores, or the longest sequence of a cache")
{
    OwnedProblem owned = small_problem();
    owned.kv_lengths = {2, 3};
    AttentionProblem p = owned.problem();
    CHECK(check(p).S == 5);
    p.keys = 0;
    CHECK(check(p).S == 3);
    p.keys = 2;
    expect(complaint(p), {"keys", "longest"});
}

TEST_CASE("shapes that do not fit are refused")
{
    expect(after([](auto& p) { p.q.extent[1] = 5; }), {"q [2, 5, 3, 4]", "5 heads", "multiple of k's 2"});
    expect(after([](auto& p) { p.q.extent[3] = 3; }), {"k [2, 2, 5, 4]", "head_dim"});
    expect(after([](auto& p) { p.q.extent[3] = p.kv.k.extent[3] = 0; }), {"q", "D must be at least 1"});
    expect(after([](auto& p) { p.q.extent[0] = p.kv.sequences = 0; }), {"q", "at least 1"});
    expect(after([](auto& p) { p.kv.k.extent[1] = p.kv.v.extent[1] = 0; }), {"k", "KV head"});
    expect(after([](auto& p) { p.kv.v.extent[3] = 0; }), {"v [2, 2, 5, 0]", "Dv"});
    expect(after([](auto& p) { p.kv.v.extent[2] = 4; }), {"v [2, 2, 4, 6]", "k [2, 2, 5, 4]"});
    expect(after([](auto& p) { p.kv.v.extent[1] = 1; }), {"v [2, 1, 5, 6]"});
    expect(after([](auto& p) { p.kv.v.extent[0] = 1; }), {"v [1, 2, 5, 6]"});
    expect(after([](auto& p) { p.q.extent[0] = 1; }), {"2 sequences", "batch of 1"});
    expect(after([](auto& p) { p.kv.k.extent[0] = p.kv.v.extent[0] = 1; }), {"k", "fewer blocks"});
    expect(after([](auto& p) { p.q.extent[2] = -1; }), {"q", "negative"});
    expect(after([](auto& p) { p.kv.k.extent[2] = largest / 4; }), {"k", "exceed 64 bits"});
    expect(after_owned([](auto& p) { p.q = store(Tensor({1, 4, 3, 4}), DType::f64); }), {"k", "batch"});
    expect(after_owned([](auto& p) { p.q = store(Tensor({4, 3, 4}), DType::f64); }), {"q", "four axes"});
}

TEST_CASE("scores that cannot be counted are refused")
{
    const auto too_many = after([](auto& p) {
        p.q.extent[0] = p.kv.sequences = 1;
        p.q.extent[2] = Index{1} << 40;
        p.kv.k.extent[2] = p.kv.v.extent[2] = Index{1} << 40;
        p.keys = Index{1} << 40;
    });
    expect(too_many, {"too many elements"});
}

TEST_CASE("memory and types that attention cannot read are refused")
{
    expect(after([](auto& p) { p.q.data = nullptr; }), {"q", "no memory"});
    expect(after([](auto& p) { p.kv.v.data = nullptr; }), {"v", "no memory"});
    expect(after([](auto& p) { p.q.type = DType::i64; }), {"q", "dtype i64"});
    expect(after([](auto& p) { p.q.type = DType::i8; }), {"q", "dtype i8"});
    expect(after([](auto& p) { p.kv.k.type = DType::boolean; }), {"k", "dtype bool"});
    CHECK(after([](auto& p) { p.kv.k.type = p.kv.v.type = DType::i8; }) == "accepted");
}

TEST_CASE("lengths must lie within what is stored")
{
    expect(after_owned([](auto& p) { p.kv_lengths = {5, 6}; }), {"kv_lengths[1] = 6", "0 … 5"});
    expect(after_owned([](auto& p) { p.kv_lengths = {-1, 2}; }), {"kv_lengths[0] = -1"});
    expect(after_owned([](auto& p) { p.kv_lengths = {1}; }), {"kv_lengths [1]", "per sequence"});
    expect(after_owned([](auto& p) { p.query_lengths = {1, 2, 3}; }), {"query_lengths [3]"});
    expect(after_owned([](auto& p) { p.query_lengths = {3, 4}; }), {"query_length[1] = 4", "L = 3"});
    expect(after_owned([](auto& p) { p.query_lengths = {-1, 3}; }), {"query_length[0] = -1"});
    expect(after([](auto& p) { p.kv.length = nullptr; }), {"kv.length is missing"});
}

TEST_CASE("block tables and evictions must make sense")
{
    const std::int32_t table[] = {1, 0, 0, 2};
    const auto with_table = [&](auto& p) {
        p.kv.block_table = table;
        p.kv.blocks_per_sequence = 2;
    };
    expect(after(with_table), {"accepted"}); // only the first block of each row is used
    expect(after([&](auto& p) {
               static const Index lengths[] = {5, 10};
               with_table(p);
               p.kv.length = lengths;
               p.keys = 0;
           }),
           {"kv.block_table[1]", "block 1 is 2", "has 2"});
    expect(after([&](auto& p) {
               static const Index lengths[] = {5, 11};
               with_table(p);
               p.kv.length = lengths;
           }),
           {"kv_lengths[1] = 11", "0 … 10"});
    expect(after([](auto& p) { p.kv.evicted = evicted; }), {"kv.evicted[1] = -3"});
    expect(after([](auto& p) { p.kv.evicted = huge; }), {"kv.evicted[0]"});
    expect(after([](auto& p) { p.kv.kept_first = -1; }), {"kept_first"});
}

TEST_CASE("options must be numbers that mean something")
{
    expect(after([](auto& p) { p.options.scale = NaN; }), {"scale", "finite"});
    expect(after([](auto& p) { p.options.scale = infinity; }), {"scale", "finite"});
    CHECK(after([](auto& p) { p.options.scale = -0.5; }) == "accepted");
    CHECK(after([](auto& p) { p.options.scale = 0; }) == "accepted");
    CHECK(after([](auto& p) { p.options.scale = 1e30, p.options.soft_cap = 1e-30; }) == "accepted");
    for (const double beyond : {1e300, -1e31, 1e-31, -1e-300})
        expect(after([&](auto& p) { p.options.scale = beyond; }), {"scale", "beyond float"});
    for (const double beyond : {1e300, 1e-300})
        expect(after([&](auto& p) { p.options.soft_cap = beyond; }), {"softcap", "beyond float"});
    expect(after([](auto& p) { p.options.soft_cap = -1; }), {"softcap"});
    expect(after([](auto& p) { p.options.soft_cap = NaN; }), {"softcap"});
    expect(after([](auto& p) { p.options.soft_cap = infinity; }), {"softcap"});
    expect(after([](auto& p) { p.options.window = -1; }), {"window -1"});
    expect(after([](auto& p) { p.options.window = 2, p.options.sinks = -1; }), {"sinks -1"});
    expect(after([](auto& p) { p.options.window = 2, p.options.causal = Causal::none; }), {"window requires causal"});
    expect(after([](auto& p) { p.options.sinks = 2; }), {"sinks require a window"});
    CHECK(after([](auto& p) { p.options.window = largest, p.options.sinks = largest; }) == "accepted");
}

TEST_CASE("bias and mask must broadcast to [B, H, L, S], and a mask says yes or no")
{
    for (const Shape& fits : {Shape{2, 4, 3, 5}, Shape{1, 1, 1, 1}, Shape{2, 1, 3, 1}}) {
        CHECK(after_owned([&](auto& p) { p.bias = Tensor(fits, -infinity); }) == "accepted");
        CHECK(after_owned([&](auto& p) { p.mask = Tensor(fits, 1.0); }) == "accepted");
    }
    for (const Shape& wrong :
         {Shape{2, 4, 3, 4}, Shape{2, 2, 3, 5}, Shape{3, 5}, Shape{1, 2, 4, 3, 5}, Shape{0, 4, 3, 5}}) {
        expect(after_owned([&](auto& p) { p.bias = Tensor(wrong); }), {"bias", "broadcast", "[2, 4, 3, 5]"});
        expect(after_owned([&](auto& p) { p.mask = Tensor(wrong); }), {"mask", "broadcast"});
    }
    expect(after_owned([](auto& p) { p.mask = Tensor({1, 1, 1, 1}, 0.5); }), {"mask holds 0.5"});
    expect(after_owned([](auto& p) { p.mask = Tensor({1, 1, 1, 1}, NaN); }), {"mask holds"});
}

TEST_CASE("sink logits are one per query head")
{
    expect(after_owned([](auto& p) { p.sink_logits = {1, 2}; }), {"sink_logits [2]", "H = 4"});
    expect(after_owned([](auto& p) { p.sink_logits = {1, 2, NaN, 4}; }), {"sink_logits", "NaN"});
    expect(after_owned([](auto& p) { p.sink_logits = {1, 2, infinity, 4}; }), {"sink_logits", "+inf"});
    CHECK(after_owned([](auto& p) { p.sink_logits = {1, 2, -infinity, 4}; }) == "accepted");
}
