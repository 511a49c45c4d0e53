// headroom record and headroom view, as a user runs them.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace headroom;
using Json = nlohmann::json;

namespace {

Json contents(const TemporaryFolder& folder, std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "record");
    arguments.insert(arguments.end(), {"-o", "r", "--json"});
    const Ran ran = headroom_program(arguments, folder.path());
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    return Json::parse(ran.out);
}

} // namespace

TEST_CASE("record: random numbers in lockstep, caches and models, and the command it notes makes the same file again")
{
    const TemporaryFolder folder;
    const Json json = contents(folder, {"--q-heads", "4", "--kv-heads", "2", "--steps", "3", "--seed", "9"});
    CHECK(json["schema"] == "headroom.record/1");
    REQUIRE(json["lanes"].size() == 3);
    CHECK(json["lanes"][1]["kv_heads"] == 2);
    CHECK(json["lanes"][1]["steps"] == 4);
    CHECK(json["caches"].size() == 6);
    CHECK(json["models"].size() >= 6);
    CHECK(json["command"] == "headroom record --q-heads 4 --kv-heads 2 --steps 3 --seed 9");
}

TEST_CASE("record: a model's run, a config and a verification")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "mine.json")
        << R"({"model_type": "llama", "hidden_size": 96, "num_attention_heads": 6, "num_key_value_heads": 2,
        "num_hidden_layers": 4, "intermediate_size": 256, "vocab_size": 300, "tie_word_embeddings": false})";
    const Json json = contents(folder, {"--text", "a", "--steps", "2", "--layer", "1", "--config", "mine.json",
                                        "--checks", "online", "--quick"});
    REQUIRE(json["lanes"].size() == 3);
    CHECK(json["lanes"][0]["recorded_layers"] == Json::array({1}));
    CHECK(json["models"].back()["name"] == "mine");
    CHECK(!json["checks"].empty());
    CHECK(json["checks"][0]["impl"] == "online");
    for (const char* scene : {"decode", "cache", "memory", "verify"}) {
        const Ran described = headroom_program({"view", "r", "--scene", scene, "--describe"}, folder.path());
        INFO(described.err);
        CHECK(described.exit_code == 0);
        CHECK(described.out.find(" = ") != std::string::npos);
    }
    const Ran again = headroom_program({"view", "r", "--describe", "--set", "seed=3"}, folder.path());
    CHECK(is_refusal(again));
    CHECK_THAT(again.err, containing("not run again"));
}

TEST_CASE("record: a file of all scenes holds the numbers that the viewer shows without a file")
{
    const TemporaryFolder folder;
    CHECK(contents(folder, {"--scenes"})["command"] == "headroom record --scenes");
    for (const std::string scene : {"decode", "cache", "memory", "verify"}) {
        const auto facts = [&](std::vector<std::string> arguments) {
            arguments.insert(arguments.end(), {"--scene", scene, "--describe"});
            const std::string out = headroom_program(arguments, folder.path()).out;
            return out.substr(std::min(out.size(), out.find("\n\n")));
        };
        CHECK(facts({"view", "r"}).size() > 500);
        CHECK(facts({"view", "r"}) == facts({"view"}));
    }
}

TEST_CASE("view: controls by name, and what is unknown is refused in one line")
{
    const TemporaryFolder folder;
    const std::vector<std::string> memory{"view", "--scene", "memory", "--describe", "--set"};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> all = memory;
        all.insert(all.end(), more.begin(), more.end());
        return headroom_program(all, folder.path());
    };
    const Ran i8 = with({"kv_dtype=i8"}), f32 = with({"kv_dtype=f32"});
    CHECK(i8.exit_code == 0);
    CHECK(i8.out != f32.out);
    CHECK(f32.out.find("bytes per token, Llama 7B = 1.00 MiB (1048576, computed)") !=
          std::string::npos); // 32 x 2 x 4096 x 4
    CHECK(is_refusal(with({"kv_dtype=f12"})));
    CHECK(is_refusal(with({"colour=red"})));
    CHECK(is_refusal(headroom_program({"view", "--scene", "memroy"}, folder.path())));
}

TEST_CASE("view: a file that is no recording, or a broken one, is refused in one line")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "text") << "hello";
    CHECK(is_refusal(headroom_program({"view", "text", "--describe"}, folder.path())));
    contents(folder, {"--steps", "1"});
    std::filesystem::resize_file(folder.path() / "r", std::filesystem::file_size(folder.path() / "r") / 2);
    CHECK(is_refusal(headroom_program({"view", "r", "--describe"}, folder.path())));
    CHECK(is_refusal(headroom_program({"record", "-o", "x", "--kv-heads", "3"}, folder.path())));
    CHECK(!std::filesystem::exists(folder.path() / "x"));
}
