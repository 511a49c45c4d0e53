// headroom verify: what passes, what fails and what nobody ran end in different exit codes, and say why.
#include "reference/attention/attention.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/small_problem.h"
#include "tests/support/temporary_folder.h"
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace headroom;
using nlohmann::json;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// A folder with a problem and somebody's answer to it, whose first number is off by `error`.
struct Answered {
    TemporaryFolder folder;
    std::string problem = folder.path() / "problem.safetensors", answer = folder.path() / "answer.safetensors";
    explicit Answered(double error)
    {
        OwnedProblem owned = small_problem();
        owned.options.causal = Causal::none; // as --problem without --causal
        write_problem(problem, owned);
        Tensor output = attention(owned.problem()).output;
        output.values().front() += error;
        NamedTensors file;
        file.tensors.emplace("output", store(output, DType::f64));
        write_safetensors(answer, file);
    }
    Ran verify() const { return headroom_program({"verify", "--problem", problem, "--outputs", answer}); }
};

} // namespace

TEST_CASE("verify: a step on the host passes, and refusals are counted with their reasons")
{
    const Ran ran = headroom_program({"verify", "--quick", "--impl", "decode/06*", "--executor", "simt"});
    CHECK(ran.exit_code == 0);
    CHECK(holds(ran.out, "decode/06_async_ring       simt"));
    CHECK(holds(ran.out, "skipped because"));
    CHECK(holds(ran.out, "it does not read f32 keys"));
    CHECK(holds(ran.out, " 0 failed"));
}

TEST_CASE("verify: JSON has a result for every case")
{
    const Ran ran = headroom_program({"verify", "--quick", "--impl", "decode/02*", "--executor", "simt", "--json"});
    CHECK(ran.exit_code == 0);
    const json all = json::parse(ran.out);
    CHECK(all.at("schema") == "headroom.verify/1");
    CHECK(all.at("passed") > 10);
    CHECK(all.at("results").size() == all.at("passed").get<std::size_t>() + all.at("failed").get<std::size_t>() +
                                          all.at("skipped").get<std::size_t>());
}

TEST_CASE("verify: where nothing ran, nothing passed")
{
    // Its numbers are f64, and the step reads 8 bits.
    const Answered given(0);
    const Ran ran =
        headroom_program({"verify", "--impl", "decode/09*", "--executor", "simt", "--problem", given.problem});
    CHECK(ran.exit_code == 1);
    CHECK(holds(ran.out, "0 passed, 0 failed"));
}

TEST_CASE("verify: somebody's outputs pass or fail, and the worst element is named")
{
    CHECK(Answered(0).verify().exit_code == 0);
    const Ran wrong = Answered(0.01).verify();
    CHECK(wrong.exit_code == 1);
    CHECK(holds(wrong.out, "worst at [0, 0, 0, 0]"));
}

TEST_CASE("verify: --case takes the cases whose names begin so")
{
    const Ran ran =
        headroom_program({"verify", "--case", "D 24", "--impl", "decode/03*", "--executor", "simt", "--json"});
    CHECK(ran.exit_code == 0);
    const json all = json::parse(ran.out);
    CHECK(all.at("passed") == 3); // f32, f16, bf16
    for (const json& result : all.at("results")) CHECK(result.at("case").get<std::string>().starts_with("D 24, "));
}

TEST_CASE("verify: a reason why nothing was compared stands under 'skipped because', not under 'nearest to its bound'")
{
    const Ran ran = headroom_program({"verify", "--case", "D 37, f32", "--impl", "decode/06*", "--executor", "simt"});
    CHECK(ran.exit_code == 1);
    const std::size_t because = ran.out.find("skipped because"), reason = ran.out.find("it does not read f32 keys");
    REQUIRE(because != ran.out.npos);
    CHECK((reason != ran.out.npos && because < reason));
}

TEST_CASE("verify: a plugin that ends the process is a check that failed")
{
    const TemporaryFolder folder;
    const std::string library = folder.path() / "plugin.so", root = HEADROOM_SOURCE_FOLDER;
    const std::string command = "c++ -shared -fPIC -D'DO=exit(0)' -I" + shell_word(root) + " " +
                                shell_word(root + "/tests/cuda/ladder/bad_plugin.cpp") + " -o " + shell_word(library);
    REQUIRE(std::system(command.c_str()) == 0);
    const Ran ran = headroom_program({"verify", "--quick", "--plugin", library});
    CHECK(ran.exit_code == 1);
    CHECK(holds(ran.out, "the plugin did not return: it ended its process with exit code 0"));
    CHECK(holds(ran.out, "FAILED  bad on plugin: GQA 4/2, D 64, S 33, f32"));
    CHECK(holds(ran.out, " 3 failed")); // in f32, f16 and bf16; all others passed or were refused
}

TEST_CASE("verify: outputs with a tensor that is no stage are refused")
{
    const Answered given(0);
    NamedTensors file = read_safetensors(given.answer);
    file.tensors.emplace("outputs", store(Tensor({1}), DType::f32));
    write_safetensors(given.answer, file);
    const Ran ran = given.verify();
    CHECK(is_refusal(ran));
    CHECK(holds(ran.err, "'outputs', which is no stage"));
}

TEST_CASE("verify: what makes no sense is refused in one line")
{
    const Answered given(0);
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"verify", "--outputs", given.answer},
                                                      {"verify", "--plugin", "absent.so"},
                                                      {"verify", "--plugin", given.problem},
                                                      {"verify", "--plugin-seconds", "1"},
                                                      {"verify", "--impl", "magic"},
                                                      {"verify", "--case", "magic"},
                                                      {"verify", "--case", "D 1, ", "--problem", given.problem},
                                                      {"verify", "--problem", given.answer}}) {
        INFO(arguments.back());
        CHECK(is_refusal(headroom_program(arguments)));
    }
}
