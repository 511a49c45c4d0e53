// The command itself: exit codes, one line on stderr, nothing left behind, stable JSON keys.
#include "tests/planning/config_index.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

using namespace headroom;

namespace {

struct Answer {
    int code = -1;
    std::string out, error;
};

Answer plan(const TemporaryFolder& folder, const std::string& arguments)
{
    const auto out = folder.path() / "out", error = folder.path() / "error";
    const std::string command =
        shell_word(HEADROOM_PROGRAM) + " plan " + arguments + " >" + shell_word(out) + " 2>" + shell_word(error);
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(out), file_text(error)};
}

std::string own(const char* config) { return shell_word(test_data(std::filesystem::path("configs") / config)); }

} // namespace

TEST_CASE("plan --json has its stable keys, and text comes on one screen")
{
    const TemporaryFolder folder;
    const Answer answer = plan(folder, "--config " + own("gqa.json") + " --context 100 --batch 2 --gpu h100 --json");
    REQUIRE(answer.code == 0);
    const auto json = nlohmann::json::parse(answer.out);
    CHECK(json["schema"] == "headroom.plan/1");
    CHECK(json["kind"] == "GQA");
    CHECK(json["kv_bytes"] == 100 * 2 * 4 * 2 * 2 * 16 * 2);
    CHECK(json["memory_bytes"] == 80000000000);
    for (const char* key : {"attention_layers", "q_heads", "kv_heads", "head_dim", "kv_bytes_per_token",
                            "kv_bytes_per_token_beyond_window", "fixed_bytes_per_sequence", "kv_bytes_not_evicting",
                            "context", "batch", "kv_dtype", "parameters", "weight_bytes", "longest_context",
                            "largest_batch", "tokens_per_second_bound", "derivation"})
        CHECK(json.contains(key));
    CHECK_FALSE(json.contains("layers"));

    CHECK(plan(folder, "--config " + own("gqa.json") + " --kv-dtype i8 --kv-scale per-head").code == 0); // as generate
    const Answer text = plan(folder, "--config " + own("gqa.json"));
    CHECK(text.code == 0);
    CHECK(std::count(text.out.begin(), text.out.end(), '\n') < 50);
    for (std::size_t at = 0; at < text.out.size(); at = text.out.find('\n', at) + 1)
        CHECK(text.out.find('\n', at) - at <= 100);
}

TEST_CASE("plan lists the layers where they vary, names both latent answers, and null has its reason")
{
    const TemporaryFolder folder;
    const auto window = nlohmann::json::parse(plan(folder, "--json --config " + own("window.json")).out);
    CHECK(window["layers"].size() == 4);
    CHECK(window["layers"][0]["window"] == 24);
    const auto latent = nlohmann::json::parse(plan(folder, "--json --config " + own("mla.json")).out);
    CHECK(latent["kv_bytes_per_token_expanded"] == 4 * 6 * (24 + 16) * 2);
    CHECK(latent["parameters"].is_null());
    CHECK(latent["parameters_reason"].is_string());
    CHECK(nlohmann::json::parse(plan(folder, "--json --config " + own("gqa.json") + " " + own("mha.json")).out)["plans"]
              .size() == 2);
}

TEST_CASE("plan refuses bad input in one line with exit code 2, and leaves no picture behind")
{
    const TemporaryFolder folder;
    const std::string config = " --config " + own("gqa.json"), picture = (folder.path() / "picture.svg").string();
    std::ofstream(folder.path() / "not.json") << "hidden_size: 4096\n";
    std::ofstream(folder.path() / "empty.json");
    for (const std::string& arguments :
         {std::string(), std::string("--config /does/not/exist.json"), std::string("--config /"),
          "--config " + (folder.path() / "not.json").string(), "--config " + (folder.path() / "empty.json").string(),
          config + " --gpu h1000", config + " --context -1", config + " --batch 0",
          config + " --context 4611686018427387904 --batch 4", config + " --context 99999999999999999999",
          config + " --memory 24", config + " --memory 24gb", config + " --memory -1GiB",
          config + " --reserve 10GiB --memory 5GiB", config + " --kv-dtype i5", config + " --tensor-parallel 3",
          config + " --page 0", config + " --weight-dtype i3", config + " --bandwidth 5"}) {
        INFO(arguments);
        const Answer answer = plan(folder, arguments + " --json --svg " + picture);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        CHECK(std::count(answer.error.begin(), answer.error.end(), '\n') == 1);
        CHECK_FALSE(std::filesystem::exists(picture));
    }
    CHECK(plan(folder, config + " --gpu h1000").error.find("rtx4090") != std::string::npos);
}

TEST_CASE("plan --svg draws axes, units, a legend and a line for each way")
{
    const TemporaryFolder folder;
    const std::string picture = (folder.path() / "picture.svg").string();
    REQUIRE(plan(folder, "--config " + own("gqa.json") + " --svg " + picture).code == 0);
    const std::string svg = file_text(picture);
    for (const char* text : {"<svg", "as MHA", "as MQA", "gqa (GQA)", "tokens per sequence", "bytes", "MiB", "</svg>"})
        CHECK(svg.find(text) != std::string::npos);
}

TEST_CASE("a cache of 2^61 bytes is answered although its MHA has more than 2^63 - 1: the comparison is empty")
{
    const TemporaryFolder folder;
    const auto config = folder.path() / "gqa.json"; // 131072 bytes a token
    std::ofstream(config) << R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                                 "num_key_value_heads": 8, "num_hidden_layers": 32})";
    const std::string gqa = " --config " + config.string() + " --context 1048576 --batch ";
    const Answer answer = plan(folder, "--json" + gqa + "16777216");
    REQUIRE(answer.code == 0);
    const auto json = nlohmann::json::parse(answer.out);
    CHECK(json["kv_bytes"] == Index{1} << 61);
    CHECK(json["kv_bytes_as_mqa"] == Index{1} << 58);
    CHECK(json["kv_bytes_as_mha"].is_null());
    const Answer text = plan(folder, gqa + "16777216");
    CHECK(text.out.find("> 8 EiB") != std::string::npos);
    CHECK(text.out.find("% saved") == std::string::npos);
    CHECK(plan(folder, gqa + "16777216 --config " + own("gqa.json")).code == 0);
    CHECK(plan(folder, gqa + "16777216 --svg " + (folder.path() / "p.svg").string()).code == 0);
    CHECK(plan(folder, gqa + "67108863").code == 0);
    CHECK(plan(folder, gqa + "67108864").code == 2);
}
