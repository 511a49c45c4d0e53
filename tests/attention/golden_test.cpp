// Golden values of our own making: every stage, computed with NumPy in double (tests/data/attention/make_golden.py).
#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include "reference/contract/problem_file.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/shared_data.h"
#include <cmath>

using namespace headroom;

namespace {

void expect(const Tensor& got, const Tensor& expected, std::string_view stage)
{
    INFO(stage);
    REQUIRE(got.shape() == expected.shape());
    for (std::size_t n = 0; n < got.values().size(); ++n) {
        const double a = got.values()[n], b = expected.values()[n];
        if (a != b && !(std::fabs(a - b) <= 1e-12)) FAIL_CHECK("element " << n << " is " << a << ", expected " << b);
    }
}

AttentionOptions options_from(const std::map<std::string, std::string>& texts)
{
    AttentionOptions o{.causal = Causal::none};
    for (const auto& [name, text] : texts)
        if (name == "causal")
            o.causal = text == "top-left" ? Causal::top_left : Causal::bottom_right;
        else if (name == "window")
            o.window = std::stol(text);
        else if (name == "sinks")
            o.sinks = std::stol(text);
        else if (name == "softcap")
            o.soft_cap = std::stod(text);
        else if (name == "scale")
            o.scale = std::stod(text);
        else
            FAIL("unknown option " << name);
    return o;
}

} // namespace

TEST_CASE("golden values computed with NumPy")
{
    int ran = 0;
    for (const std::string name : {"mha_full", "gqa_causal", "mqa_decode", "gqa_top_left", "window_sinks",
                                   "cap_bias_mask", "ragged_sink_logits", "f16"}) {
        INFO(name);
        OwnedProblem problem = read_problem(test_data("attention/" + name + ".problem.safetensors"));
        const NamedTensors expected = read_safetensors(test_data("attention/" + name + ".expected.safetensors"));
        problem.options = options_from(expected.metadata);
        const AttentionStages all = attention(problem.problem()),
                              online = online_attention(problem.problem(), {.tile = 2});
        for (const Stage& stage : stages()) {
            const Tensor golden = load(expected.tensors.at(std::string(stage.name)));
            expect(all.*stage.tensor, golden, stage.name);
            if (!(online.*stage.tensor).empty()) expect(online.*stage.tensor, golden, stage.name);
        }
        ++ran;
    }
    CHECK(ran == 8);
}
