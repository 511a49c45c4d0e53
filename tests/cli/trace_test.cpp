// headroom trace: a recording, a table, JSON; and one line and no file for what is wrong.
#include "reference/recording/recording.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <nlohmann/json.hpp>

using namespace headroom;

TEST_CASE("trace: a step's recording holds what its table and its JSON say")
{
    const TemporaryFolder folder;
    const std::string out = folder.path() / "trace.safetensors";
    const Ran ran = headroom_program({"trace", "--impl", "decode/04*", "--keys", "130", "-o", out, "--json"});
    REQUIRE(ran.exit_code == 0);
    const auto json = nlohmann::json::parse(ran.out);
    CHECK(json.at("schema") == "headroom.trace/1");
    REQUIRE(json.at("steps").size() == 1);
    CHECK(json["steps"][0].at("impl") == "decode/04_split_combine");
    CHECK(json["steps"][0].at("bytes_read_per_kv_byte") == 1.0);

    const Recording recording = read_recording(out);
    CHECK(recording.command.find("--keys=130") != std::string::npos);
    REQUIRE(recording.kernels.size() == 1);
    const TracedStep& step = recording.kernels[0];
    CHECK(step.shape.S == 130);
    CHECK(step.launches.size() == 2);
    CHECK(step.parts.size() == 2 * 2); // splits and KV heads
    CHECK_FALSE(step.launches[0].events.empty());
    for (const auto& buffer : json["steps"][0]["launches"][0]["buffers"])
        if (buffer.at("label") == "k") CHECK(buffer.at("bytes_read") == bytes_read(step, "k"));

    // Without a file no request is kept, and what is counted is the same.
    CHECK(headroom_program({"trace", "--impl", "decode/04*", "--keys", "130", "--json"}).out == ran.out);

    const Ran table = headroom_program({"trace", "--impl", "decode/0[12]*", "--keys", "64"});
    CHECK(table.exit_code == 0);
    CHECK(table.out.find("decode/02_online_softmax") != std::string::npos);
    CHECK(table.out.find("01_naive.cu:") != std::string::npos); // lines of source
    CHECK(table.out.find("4.00 times their bytes") != std::string::npos);
}

TEST_CASE("trace: what is wrong is one line, and leaves no file")
{
    const TemporaryFolder folder;
    const std::string out = folder.path() / "trace.safetensors";
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--impl", "decode/99*"},
                                                  {"--impl", "decode/05*", "--head-dim", "80"}, // it does not do that
                                                  {"--kv-heads", "3"},
                                                  {"--keys", "-1"},
                                                  {"--keys", "2000000"},
                                                  {"--keys", "1048576", "--batch", "1048576"},
                                                  {"--keys", "4096", "--queries", "4096", "--q-heads", "8"},
                                                  {"--align", "top-left"},
                                                  {"--kv-dtype", "f7"},
                                                  {"--problem", folder.path() / "missing"},
                                                  {"--no-such-option"}}) {
        std::vector<std::string> words{"trace", "-o", out};
        words.insert(words.end(), wrong.begin(), wrong.end());
        INFO(wrong.front());
        CHECK(is_refusal(headroom_program(words)));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("trace: among many steps, those that do not take the problem are named with their reason")
{
    const Ran ran =
        headroom_program({"trace", "--impl", "decode/0[4-6]*", "--head-dim", "80", "--keys", "64", "--json"});
    REQUIRE(ran.exit_code == 0);
    const auto json = nlohmann::json::parse(ran.out);
    CHECK(json.at("steps").size() == 1);
    REQUIRE(json.at("refused").size() == 2);
    CHECK(json["refused"][0].at("impl") == "decode/05_tensor_direct");
    CHECK(json["refused"][0].at("reason").get<std::string>().find("80") != std::string::npos);
}
