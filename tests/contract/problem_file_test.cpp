// Problem files: what was written is read, and what is no problem is refused with one line that says why.
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/small_problem.h"
#include "tests/support/temporary_folder.h"

using namespace headroom;

namespace {

OwnedProblem full_problem()
{
    OwnedProblem p = small_problem(DType::f16);
    Random random(2);
    p.bias = random_uniform({1, 4, 3, 5}, random);
    p.mask = Tensor({2, 1, 1, 5}, {1, 1, 1, 1, 0, 1, 0, 1, 0, 1});
    p.kv_lengths = {5, 2};
    p.query_lengths = {3, 1};
    p.sink_logits = {0.5, -1, 2, 3};
    return p;
}

// What reading the full problem says once `name` holds something else.
std::string complaint(const std::string& name, const Tensor& replacement, DType type)
{
    NamedTensors file = tensors_of(full_problem());
    file.tensors.erase(name);
    file.tensors.emplace(name, store(replacement, type));
    try {
        problem_from(std::move(file));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

bool says(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

} // namespace

TEST_CASE("a problem survives writing and reading")
{
    const TemporaryFolder folder;
    const OwnedProblem before = full_problem();
    write_problem(folder.path() / "p.safetensors", before);
    const OwnedProblem after = read_problem(folder.path() / "p.safetensors");
    CHECK(std::ranges::equal(after.q.bytes(), before.q.bytes()));
    CHECK(std::ranges::equal(after.k.bytes(), before.k.bytes()));
    CHECK(std::ranges::equal(after.v.bytes(), before.v.bytes()));
    CHECK(after.v.shape() == before.v.shape());
    CHECK(after.q.type() == DType::f16);
    CHECK(std::ranges::equal(after.bias.values(), before.bias.values()));
    CHECK(after.mask.shape() == before.mask.shape());
    CHECK(std::ranges::equal(after.mask.values(), before.mask.values()));
    CHECK(after.kv_lengths == before.kv_lengths);
    CHECK(after.query_lengths == before.query_lengths);
    CHECK(after.sink_logits == before.sink_logits);
}

TEST_CASE("missing leading axes of bias and mask broadcast")
{
    NamedTensors file = tensors_of(small_problem());
    file.tensors.emplace("mask", store(Tensor({3, 5}, 1.0), DType::u8));
    file.tensors.emplace("bias", store(Tensor(Shape{}, 0.5), DType::f32));
    const OwnedProblem problem = problem_from(std::move(file));
    CHECK(problem.mask.shape() == Shape{1, 1, 3, 5});
    CHECK(problem.bias.shape() == Shape{1, 1, 1, 1});
}

TEST_CASE("tensors of the wrong type are refused")
{
    CHECK(says(complaint("q", Tensor({2, 4, 3, 4}), DType::i8), "q [2, 4, 3, 4] has dtype i8"));
    CHECK(says(complaint("k", Tensor({2, 2, 5, 4}), DType::f8e4m3), "k [2, 2, 5, 4] has dtype f8e4m3"));
    CHECK(says(complaint("bias", Tensor({1, 1, 1, 1}), DType::i32), "bias [1, 1, 1, 1] has dtype i32"));
    CHECK(says(complaint("mask", Tensor({1, 1, 1, 1}), DType::f32), "mask [1, 1, 1, 1] has dtype f32, not BOOL or U8"));
    CHECK(says(complaint("mask", Tensor({1, 1, 1, 1}, 2), DType::u8), "mask holds 2;"));
    CHECK(says(complaint("sink_logits", Tensor({4}), DType::i32), "sink_logits [4] has dtype i32"));
    CHECK(says(complaint("kv_lengths", Tensor({2}), DType::boolean), "kv_lengths [2] has dtype bool"));
}

TEST_CASE("lengths are integers, one per sequence, within what is stored")
{
    CHECK(complaint("kv_lengths", Tensor({2}, {5, 0}), DType::i32) == "accepted");
    CHECK(complaint("kv_lengths", Tensor({2}, {5, 0}), DType::f32) == "accepted"); // integers, written as floats
    CHECK(says(complaint("kv_lengths", Tensor({2}, {2.5, 1}), DType::f32), "kv_lengths holds 2.5,"));
    CHECK(says(complaint("kv_lengths", Tensor({2}, {-1, 1}), DType::i64), "kv_lengths holds -1"));
    CHECK(says(complaint("kv_lengths", Tensor({2}, {1, -std::nan("")}), DType::f64), "kv_lengths holds nan,"));
    CHECK(says(complaint("kv_lengths", Tensor({2}, {1, 1e300}), DType::f64), "kv_lengths holds 1e+300,"));
    CHECK(says(complaint("kv_lengths", Tensor({2}, {1, 6}), DType::i64), "kv_lengths[1] = 6"));
    CHECK(says(complaint("kv_lengths", Tensor({3}), DType::i64), "kv_lengths has shape [3], must be [2]"));
    CHECK(says(complaint("kv_lengths", Tensor({1, 2}), DType::i64), "kv_lengths has shape [1, 2]"));
    CHECK(says(complaint("query_lengths", Tensor({2}, {4, 0}), DType::i64), "query_length[0] = 4"));
}

TEST_CASE("shapes that do not fit and tensors that are unknown are refused")
{
    CHECK(says(complaint("k", Tensor({2, 2, 5}), DType::f16), "k [2, 2, 5] must have four axes"));
    CHECK(says(complaint("k", Tensor({2, 3, 5, 4}), DType::f16), "multiple"));
    CHECK(says(complaint("mask", Tensor({4, 5}), DType::boolean), "mask [1, 1, 4, 5] does not broadcast"));
    CHECK(says(complaint("bias", Tensor({1, 1, 1, 1, 1}), DType::f32), "more than four axes"));
    CHECK(says(complaint("sink_logits", Tensor({2}), DType::f32), "sink_logits has shape [2], must be [4]"));
    CHECK(says(complaint("kv_length", Tensor({2}), DType::i64), "no tensor 'kv_length'"));
}

TEST_CASE("a BOOL that is neither 0 nor 1 is refused")
{
    NamedTensors file = tensors_of(full_problem());
    file.tensors.at("mask").bytes()[3] = std::byte{7};
    CHECK_THROWS_AS(problem_from(std::move(file)), std::invalid_argument);
}

TEST_CASE("a file without q, k or v is no problem")
{
    for (const char* name : {"q", "k", "v"}) {
        NamedTensors file = tensors_of(small_problem());
        file.tensors.erase(name);
        CHECK_THROWS_AS(problem_from(std::move(file)), std::invalid_argument);
    }
}
