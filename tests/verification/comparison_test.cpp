// The comparator must reject wrong answers: every planted mistake of the style guide, each on a problem where it is
// nearly right.
#include "reference/attention/attention.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headroom;

namespace {

const Recipe grouped{.B = 2, .H = 8, .Hkv = 4, .L = 3, .S = 40, .D = 32, .lengths = {40, 17}};

CheckResult judged(const Recipe& recipe, const AttentionStages& answer)
{
    const PosedProblem posed(recipe);
    return judge(answer, Expected(posed.problem()), posed.problem().kv.k.type);
}

AttentionStages output_only(Tensor output)
{
    AttentionStages stages;
    stages.output = std::move(output);
    return stages;
}

AttentionStages right_answer(const Recipe& recipe) { return attention(PosedProblem(recipe).problem()); }

// Query head h is answered with what head from(h) should have said.
Tensor heads_moved(const Tensor& output, Index (*from)(Index h, Index H))
{
    Tensor moved(output.shape());
    for (Index b = 0; b < output.extent(0); ++b)
        for (Index h = 0; h < output.extent(1); ++h)
            for (Index i = 0; i < output.extent(2); ++i)
                std::ranges::copy(output.row(b, from(h, output.extent(1)), i), moved.row(b, h, i).begin());
    return moved;
}

// The reference's answer to a slightly different question.
void rejects_answer_to(const AttentionProblem& other)
{
    const CheckResult result = judged(grouped, output_only(attention(other).output));
    CHECK(result.status == CheckResult::Status::failed);
    CHECK(result.first_diverging()->stage == "output");
    CHECK(result.first_diverging()->worst_error > 0.1);
}

} // namespace

TEST_CASE("the right answer passes, with all its stages")
{
    const CheckResult result = judged(grouped, right_answer(grouped));
    CHECK(result.status == CheckResult::Status::passed);
    CHECK(result.stages.size() == stages().size());
}

TEST_CASE("one NaN anywhere is rejected")
{
    for (const std::size_t at : {std::size_t{0}, std::size_t{700}, std::size_t{1535}}) {
        AttentionStages answer = output_only(right_answer(grouped).output);
        answer.output.values()[at] = std::numeric_limits<double>::quiet_NaN();
        const CheckResult result = judged(grouped, answer);
        CHECK(result.status == CheckResult::Status::failed);
        CHECK(std::isinf(result.first_diverging()->worst_error));
    }
}

TEST_CASE("where the right answer is NaN, only NaN is right, and its neighbours are judged as ever")
{
    const Recipe seen{.S = 9, .D = 16, .nan_in_q = true}; // of head 0
    const AttentionStages right = right_answer(seen);
    REQUIRE(std::isnan(right.output(0, 0, 0, 3)));
    REQUIRE(std::isfinite(right.output(0, 1, 0, 3)));
    CHECK(judged(seen, right).status == CheckResult::Status::passed);
    for (const double number : {0.0, 1.0, double(INFINITY)}) {
        AttentionStages answer = output_only(right.output);
        answer.output(0, 0, 0, 3) = number;
        CHECK(judged(seen, answer).first_diverging()->worst_at == std::vector<Index>{0, 0, 0, 3});
        answer.output(0, 0, 0, 3) = right.output(0, 0, 0, 3);
        answer.output(0, 1, 0, 3) += number > 0 ? number : 0.01;
        CHECK(judged(seen, answer).first_diverging()->worst_at == std::vector<Index>{0, 1, 0, 3});
    }
}

TEST_CASE("infinities must stand where they belong")
{
    const Recipe empty_row{.B = 2, .S = 9, .D = 16, .lengths = {9, 0}}; // sequence 1: lse is -inf
    AttentionStages answer = right_answer(empty_row);
    CHECK(judged(empty_row, answer).status == CheckResult::Status::passed);
    for (const double wrong : {0.0, double(INFINITY), double(NAN)}) {
        answer.lse(1, 0, 0) = wrong;
        CHECK(judged(empty_row, answer).first_diverging()->stage == "lse");
    }
    answer.lse(1, 0, 0) = -INFINITY;
    answer.lse(0, 0, 0) = -INFINITY;
    CHECK(judged(empty_row, answer).status == CheckResult::Status::failed);
}

TEST_CASE("constant and zero outputs are rejected")
{
    const Shape shape = right_answer(grouped).output.shape();
    for (const double constant : {0.0, 0.1, -2.0})
        CHECK(judged(grouped, output_only(Tensor(shape, constant))).status == CheckResult::Status::failed);
}

TEST_CASE("an output of another shape is rejected, and so is none")
{
    CHECK(judged(grouped, output_only(Tensor({2, 8, 3}))).status == CheckResult::Status::failed);
    const Tensor output = right_answer(grouped).output; // the same numbers, with two axes in each other's place
    const std::vector<double> numbers(output.values().begin(), output.values().end());
    CHECK(judged(grouped, output_only(Tensor({8, 2, 3, 32}, numbers))).status == CheckResult::Status::failed);
    CHECK(judged(grouped, AttentionStages()).status == CheckResult::Status::failed);
}

TEST_CASE("shuffled heads are rejected")
{
    const Tensor output = right_answer(grouped).output;
    const Tensor reversed = heads_moved(output, [](Index h, Index H) { return H - 1 - h; });
    const Tensor swapped = heads_moved(output, [](Index h, Index) { return h ^ 1; });
    CHECK(judged(grouped, output_only(reversed)).status == CheckResult::Status::failed);
    CHECK(judged(grouped, output_only(swapped)).status == CheckResult::Status::failed);
}

TEST_CASE("tiled KV heads are rejected")
{
    // Query head h reads KV head h % Hkv: the same numbers, attached to other heads.
    const PosedProblem posed(grouped);
    AttentionProblem tiled = posed.problem();
    StoredTensor q = store(Tensor({2, 8, 3, 32}), DType::f32);
    for (Index b = 0; b < 2; ++b)
        for (Index h = 0; h < 8; ++h)
            for (Index i = 0; i < 3; ++i) {
                std::vector<double> row(32);
                for (Index d = 0; d < 32; ++d) row[std::size_t(d)] = value(tiled.q, b, h, i, d);
                q.write_row(b, (h % 4) * 2 + h / 4, i, row); // where an interleaving kernel finds KV head h % 4
            }
    tiled.q = q.view();
    const Tensor output = attention(tiled).output;
    const Tensor answer = heads_moved(output, [](Index h, Index) { return (h % 4) * 2 + h / 4; });
    CHECK(judged(grouped, output_only(answer)).status == CheckResult::Status::failed);
}

TEST_CASE("a missing scale is rejected")
{
    const PosedProblem posed(grouped);
    AttentionProblem other = posed.problem();
    other.options.scale = 1;
    rejects_answer_to(other);
    other.options.scale = 1 / std::sqrt(64.0); // the scale of a padded head_dim
    rejects_answer_to(other);
}

TEST_CASE("a mask that is off by one is rejected")
{
    const PosedProblem posed(grouped);
    AttentionProblem other = posed.problem();
    const std::vector<Index> one_less = {39, 16};
    other.kv.length = one_less.data(); // nobody sees the newest key
    rejects_answer_to(other);

    Recipe windowed = grouped;
    windowed.options.window = 8;
    const PosedProblem right(windowed);
    AttentionProblem wider = right.problem();
    wider.options.window = 9;
    const CheckResult result = judge(output_only(attention(wider).output), Expected(right.problem()), DType::f32);
    CHECK(result.status == CheckResult::Status::failed);
}

TEST_CASE("top-left for bottom-right is rejected")
{
    const PosedProblem posed(grouped);
    AttentionProblem other = posed.problem();
    other.options.causal = Causal::top_left;
    rejects_answer_to(other);
    other.options.causal = Causal::none;
    rejects_answer_to(other);
}

TEST_CASE("swapped K and V are rejected")
{
    const PosedProblem posed(grouped);
    AttentionProblem other = posed.problem();
    std::swap(other.kv.k, other.kv.v);
    rejects_answer_to(other);
}

TEST_CASE("the first diverging stage is named, with its worst element")
{
    AttentionStages answer = right_answer(grouped);
    answer.weights(1, 3, 2, 5) += 0.01;
    answer.output(1, 3, 2, 7) += 0.02;
    const CheckResult result = judged(grouped, answer);
    REQUIRE(result.first_diverging());
    CHECK(result.first_diverging()->stage == "weights");
    CHECK(result.first_diverging()->worst_at == std::vector<Index>{1, 3, 2, 5});
    CHECK(result.reason.find("weights") == 0);
    CHECK(result.output_error(1, 3, 2, 7) == Approx(0.02));
}

TEST_CASE("an error that is small but everywhere is rejected by the mean")
{
    AttentionStages answer = output_only(right_answer(grouped).output);
    for (double& x : answer.output.values()) x += 9e-6; // under the floor of the maximum
    const CheckResult result = judged(grouped, answer);
    CHECK(result.status == CheckResult::Status::failed);
    CHECK(result.reason.find("mean error") != std::string::npos);
}

TEST_CASE("one number that is a little off is rejected by the largest error alone")
{
    AttentionStages answer = output_only(right_answer(grouped).output);
    answer.output.values()[700] += 3e-5; // of 1,536 numbers: neither mean nor RMS notice
    const CheckResult result = judged(grouped, answer);
    REQUIRE(result.status == CheckResult::Status::failed);
    CHECK(result.first_diverging()->complaint.starts_with("error "));
    CHECK(result.first_diverging()->mean_error < result.first_diverging()->bound.mean);
    CHECK(result.first_diverging()->relative_rms < result.first_diverging()->bound.relative_rms);
}

TEST_CASE("where plain arithmetic itself is bad, relative RMS still rejects")
{
    const AttentionStages right = right_answer(grouped);
    AttentionStages plain = output_only(right.output), answer = plain;
    for (double& x : plain.output.values()) x += 0.01;
    for (double& x : answer.output.values()) x += 0.005;
    const Comparison output = compare(answer, right, plain, DType::f32).front();
    CHECK(output.worst_error < output.bound.largest);
    CHECK(output.mean_error < output.bound.mean);
    CHECK(output.complaint.starts_with("relative RMS"));
}

TEST_CASE("a yardstick that is no number excuses no answer")
{
    const AttentionStages right = right_answer(grouped);
    for (const double nothing : {double(NAN), double(INFINITY)}) {
        AttentionStages plain = right;
        plain.lse(0, 0, 0) = nothing;
        AttentionStages answer = right;
        CHECK(std::ranges::all_of(compare(answer, right, plain, DType::f32), &Comparison::passed));
        for (const double wrong : {double(NAN), double(INFINITY), right.lse(1, 0, 0) + 1}) {
            answer.lse(1, 0, 0) = wrong;
            const std::vector<Comparison> stages = compare(answer, right, plain, DType::f32);
            const auto lse = std::ranges::find(stages, "lse", &Comparison::stage);
            CHECK_FALSE(lse->passed());
        }
    }
}

TEST_CASE("where plain arithmetic overflows in one row, it still measures the others")
{
    const AttentionStages right = right_answer(grouped);
    AttentionStages plain = right, answer = output_only(right.output);
    plain.output(0, 0, 0, 0) = INFINITY;
    plain.output(1, 3, 2, 5) += 1e-3;
    const auto passes = [&] { return compare(answer, right, plain, DType::f16).front().passed(); };
    answer.output(1, 3, 2, 7) += 1.5e-3; // within twice
    CHECK(passes());
    answer.output(0, 0, 0, 0) = INFINITY;
    CHECK_FALSE(passes());
}

TEST_CASE("a key that holds an infinity makes a NaN of the rows that it wins, and their neighbours are judged as ever")
{
    Recipe recipe = grouped;
    recipe.type = recipe.q_type = DType::f16;
    const PosedProblem posed(recipe);
    const AttentionProblem& p = posed.problem();
    StoredTensor k = store(load(p.kv.k), DType::f16);
    std::vector<double> row(32);
    for (Index d = 0; d < 32; ++d) row[std::size_t(d)] = value(p.kv.k, 0, 0, 5, d);
    row[3] = INFINITY;
    k.write_row(0, 0, 5, row);
    AttentionProblem infinite = p;
    infinite.kv.k = k.view();
    const Expected expected(infinite);
    const auto exact = expected.exact.output.values(), plain = expected.plain.output.values();
    CHECK(std::ranges::any_of(exact, [](double x) { return std::isnan(x); }));
    CHECK(std::ranges::equal(exact, plain, [](double x, double y) { return std::isnan(x) == std::isnan(y); }));
    AttentionStages rounded = output_only(expected.exact.output); // as f16 weights would have it
    rounded.output(1, 7, 2, 5) += 3e-4;
    CHECK(judge(rounded, expected, DType::f16).status == CheckResult::Status::passed);
}

TEST_CASE("numbers that fill a line are told shortly, and logits beyond float say so")
{
    Recipe huge = grouped;
    huge.amplitude = 1e30; // logits of 1e60
    AttentionStages answer = right_answer(huge);
    for (double& x : answer.output.values()) x = std::numeric_limits<double>::quiet_NaN(); // as float arithmetic says
    const CheckResult beyond = judged(huge, output_only(answer.output));
    CHECK(beyond.status == CheckResult::Status::failed);
    INFO(beyond.reason);
    CHECK(beyond.reason.starts_with("output: got nan for "));
    CHECK(beyond.reason.ends_with("e+60, are beyond float"));
    CHECK(beyond.reason.size() < 120);

    huge.amplitude = 1e15; // of 1e30
    answer = right_answer(huge);
    answer.output.values().front() = 1e300;
    const CheckResult wrong = judged(huge, output_only(answer.output));
    INFO(wrong.reason);
    CHECK(wrong.reason.find("got 1e+300, expected ") != wrong.reason.npos);
    CHECK(wrong.reason.find("beyond float") == wrong.reason.npos);
    CHECK(wrong.reason.size() < 200);
}
