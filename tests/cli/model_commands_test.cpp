// The commands that run a model, as a user meets them: what they print, and how they refuse.
#include "tests/support/catch.h"

#include "reference/decoder/checkpoint.h"
#include "reference/decoder/llama2c.h"
#include "reference/decoder/tokenizer.h"
#include "reference/tensor/files.h"
#include "reference/tensor/safetensors.h"
#include "tests/decoder/tiny.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace headroom;

namespace {

namespace fs = std::filesystem;

// The words of a command line; '' is an empty one.
Ran headroom_command(const std::string& line)
{
    std::istringstream words(line);
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word == "''" ? "" : word);
    return headroom_program(arguments);
}

// A tiny checkpoint with its tokenizer.
struct Files {
    TemporaryFolder temporary;
    fs::path folder = temporary.path();
    Files()
    {
        write_file(folder / "model.bin", llama2c_file(tiny_decoder(), 0));
        std::vector<std::byte> words;
        const auto add = [&words](const auto& value) {
            const auto bytes = std::as_bytes(std::span(&value, 1));
            words.insert(words.end(), bytes.begin(), bytes.end());
        };
        add(std::int32_t{4});
        for (int id = 0; id < 40; ++id) { // unknown, begin, end, space, then the letters a, b, c …
            const std::string text = id < 3    ? std::string("<").append(std::to_string(id)).append(">")
                                     : id == 3 ? " "
                                               : std::string(1, char('a' + id - 4));
            add(0.0f);
            add(static_cast<std::int32_t>(text.size()));
            for (const char c : text) add(c);
        }
        write_file(folder / "tokenizer.bin", words);
        write_file(folder / "broken.bin", std::string("this is not a checkpoint, whatever its name"));
    }
    std::string operator()(const char* name) const { return (folder / name).string(); }
};

int widest_line(const std::string& text) // in characters
{
    int widest = 0, width = 0;
    for (const char c : text) {
        width = c == '\n' ? 0 : width + ((static_cast<unsigned char>(c) & 0xC0) != 0x80);
        widest = std::max(widest, width);
    }
    return widest;
}

} // namespace

TEST_CASE("generate --json has its keys, its step numbers and its lengths")
{
    const Files file;
    const Ran run =
        headroom_command("generate --model " + file("model.bin") + " --prompt abc --steps 4 --chunk 3 --json");
    REQUIRE(run.exit_code == 0);
    CHECK(run.err.empty());
    const auto json = nlohmann::json::parse(run.out);
    CHECK(json["schema"] == "headroom.generate/1");
    CHECK(json["tokens"].size() == 5 + 4); // begin, space, a, b, c
    CHECK(json["tokens"][0] == 1);
    CHECK(json["text"].get<std::string>().starts_with("abc"));
    REQUIRE(json["steps"].size() == 2 + 3);
    for (std::size_t i = 0; i < 5; ++i) {
        const auto& step = json["steps"][i];
        CHECK(step["step"] == i);
        CHECK(step["phase"] == (i < 2 ? "prefill" : "decode"));
        CHECK(step["length"] == std::array{3, 5, 6, 7, 8}[i]);
        CHECK(step["past_length"] == std::array{0, 3, 5, 6, 7}[i]);
        CHECK(step["new_tokens"] == step["length"].get<int>() - step["past_length"].get<int>());
        CHECK(step["k_shape"] == nlohmann::json{1, 2, step["length"].get<int>(), 4});
        CHECK(step["live_bytes"] == step["length"].get<int>() * 2 * 2 * 2 * 4 * 4);
        for (const char* key : {"reserved_bytes", "copied_bytes", "peak_bytes"}) CHECK(step[key].is_number_integer());
        CHECK(step["ms"].is_number());
    }
}

TEST_CASE("every cache, no cache and half precision go through generate and score")
{
    const Files file;
    const std::string model = "--model " + file("model.bin") + " ";
    const std::string expected = headroom_command("generate " + model + "--prompt abc --steps 20").out;
    CHECK(expected.starts_with("abc"));
    for (const std::string how : {"--cache concat", "--cache preallocated", "--cache growing --initial 2 --factor 1.5",
                                  "--cache paged --block 3", "--cache ring --window 64", "--no-cache", "--chunk 1"})
        CHECK(headroom_command("generate " + model + "--prompt abc --steps 20 " + how).out == expected);
    const auto nll = [&](const std::string& how) {
        return nlohmann::json::parse(headroom_command("score " + model + "--text abcdefg --json " + how).out)["nll"]
            .get<double>();
    };
    CHECK(nll("") == nll("--no-cache"));
    CHECK(nll("--kv-dtype bf16") == nll("--kv-dtype bf16 --chunk 2"));
    CHECK(nll("--kv-dtype bf16") != nll(""));
    CHECK(nll("--kv-dtype i8") == Approx(nll("")).margin(0.5));
}

TEST_CASE("in-cache positions are an option of the ring, labelled, and the text may outgrow the model's context")
{
    const Files file;
    const std::string ring = "generate --model " + file("model.bin") + " --json --cache ring --window 16 --sinks 2 ";
    CHECK(is_refusal(headroom_command(ring + "--steps 100")));
    const Ran run = headroom_command(ring + "--steps 100 --positions in-cache");
    REQUIRE(run.exit_code == 0);
    const auto json = nlohmann::json::parse(run.out);
    CHECK(json["positions"] == "in-cache");
    CHECK(json["steps"].back()["length"] == 100);
    CHECK(json["steps"].back()["live_bytes"] == 18 * 2 * 2 * 2 * 4 * 4);
    CHECK(nlohmann::json::parse(headroom_command(ring + "--steps 10").out)["positions"] == "absolute");
}

TEST_CASE("static scales come from a text of their own, and score --storage has a row for every storage type")
{
    const Files file;
    const std::string score = "score --json --text abcdefgh --model " + file("model.bin") + " ";
    const auto nll = [&](const std::string& how) {
        const Ran run = headroom_command(score + how);
        INFO(run.err);
        REQUIRE(run.exit_code == 0);
        return nlohmann::json::parse(run.out)["nll"].get<double>();
    };
    const std::string channels = "--kv-dtype i8 --kv-scale per-channel --calibrate ponmlkjihgfedcba";
    CHECK(nll(channels) == nll(channels + " --chunk 3"));
    CHECK(nll(channels) != nll("--kv-dtype i8"));
    const auto rows = [&](const std::string& how) {
        return nlohmann::json::parse(headroom_command(score + "--storage " + how).out)["storage"];
    };
    CHECK(rows("").size() == 3 + 2);
    const auto all = rows("--calibrate ponmlkjihgfedcba");
    REQUIRE(all.size() == 3 + 2 * 4);
    CHECK(all[0]["kv_dtype"] == "f32");
    CHECK(all[0]["nll"] == nll(""));
    CHECK(all[0]["relative_rms_against_f32"]["output"] == 0);
    for (const auto& row : all)
        if (row["kv_dtype"] == "i8" && row["kv_scale"] == "per-channel") CHECK(row["nll"] == nll(channels));
    const Ran table = headroom_command("score --storage --text abc --model " + file("model.bin"));
    CHECK(table.exit_code == 0);
    for (const char* word : {"perplexity", "f8e4m3", "--calibrate"}) CHECK(table.out.find(word) != std::string::npos);
}

TEST_CASE("a seed decides what is sampled, and --stop-at-eos ends early")
{
    const Files file;
    const std::string base = "generate --model " + file("model.bin") + " --steps 30 --temperature 1.5 --seed ";
    CHECK(headroom_command(base + "1").out == headroom_command(base + "1").out);
    CHECK(headroom_command(base + "1").out != headroom_command(base + "2").out);
    bool shorter = false;
    for (int seed = 1; seed <= 8; ++seed) {
        const auto json =
            nlohmann::json::parse(headroom_command(base + std::to_string(seed) + " --stop-at-eos --json").out);
        if (json["tokens"].size() == 31) continue;
        shorter = true;
        CHECK(json["tokens"].back() == 2);
    }
    CHECK(shorter);
}

TEST_CASE("bad input to the model commands is one line and exit code 2")
{
    const Files file;
    const std::string model = "--model " + file("model.bin");
    for (const std::string& line : {"generate " + model + " --steps 65",
                                    "generate " + model + " --steps -1",
                                    "generate " + model + " --steps x",
                                    "generate " + model + " --prompt ABC",
                                    "generate " + model + " --cache none",
                                    "generate " + model + " --cache ring",
                                    "generate " + model + " --cache growing --max 3 --steps 9",
                                    "generate " + model + " --kv-dtype u8",
                                    "generate " + model + " --kv-dtype half",
                                    "generate " + model + " --sinks 2",
                                    "generate " + model + " --positions in-cache",
                                    "generate " + model + " --positions relative --cache ring --window 8",
                                    "generate " + model + " --positions in-cache --cache ring --window 60 --sinks 5",
                                    "generate " + model + " --positions in-cache --no-cache --window 8",
                                    "generate " + model + " --kv-scale per-channel",
                                    "generate " + model + " --kv-dtype i8 --kv-scale per-channel",
                                    "generate " + model + " --kv-dtype i8 --kv-scale per-row --calibrate abc",
                                    "generate " + model + " --kv-dtype i8 --kv-scale per-head --no-cache --calibrate a",
                                    "score " + model + " --text abc --storage --no-cache",
                                    "generate " + model + " --temperature -1",
                                    "generate " + model + " --top-p 2",
                                    "generate " + model + " --chunk -2",
                                    "generate " + model + " --impl nothing",
                                    "generate --model " + file("broken.bin"),
                                    "generate --model " + file("missing.bin"),
                                    "generate --model " + file("model.bin") + " --tokenizer " + file("missing.bin"),
                                    "generate --model " + file("model.bin") + " --tokenizer " + file("broken.bin"),
                                    "generate --tokenizer " + file("tokenizer.bin"),
                                    std::string("generate --model nothing"),
                                    "generate --model " + file.folder.string(),
                                    "score " + model,
                                    "score " + model + " --text ''",
                                    "convert --kv-heads 3 " + file("model.bin") + " " + file("out.bin"),
                                    "convert --kv-heads 1 " + file("model.bin") + " " + file("model.bin"),
                                    "convert --kv-heads 1 " + file("model.bin") + " " + file("tokenizer.bin"),
                                    "convert --kv-heads 0 " + file("model.bin") + " " + file("out.bin"),
                                    "convert --kv-heads 1 " + file("broken.bin") + " " + file("out.bin"),
                                    "convert --kv-heads 1 --text ABC " + file("model.bin") + " " + file("out.bin"),
                                    std::string("batch --lengths 0,0"),
                                    std::string("batch --lengths 5,-1"),
                                    std::string("batch --lengths 99999999"),
                                    std::string("tour --steps 1"),
                                    "tour --model " + file("broken.bin")}) {
        INFO(line);
        CHECK(is_refusal(headroom_command(line)));
    }
    CHECK_FALSE(fs::exists(file("out.bin")));
}

TEST_CASE("models says what a file does not tell, names the file that lies, and reads none that was not asked for")
{
    const Files file;
    const auto ship = [&](const char* name, const char* training) {
        NamedTensors model = safetensors_from(tiny_decoder());
        if (*training) model.metadata["headroom.training"] = training;
        write_safetensors(file.folder / name, model);
    };
    ship("silent.safetensors", "");
    ship("liar.safetensors", "{\"origin\": ");
    ship("forgetful.safetensors", R"({"origin": "trained", "seed": 1, "steps": 2, "tokens": 3})");
    write_file(file.folder / "stray.safetensors", std::string("this is not a checkpoint, whatever its name"));
    write_file(file.folder / "heldout.txt", std::string("abc\n"));
    REQUIRE(setenv("HEADROOM_MODELS", file.folder.c_str(), 1) == 0);

    const Ran silent = headroom_command("models silent");
    CHECK(silent.exit_code == 0);
    CHECK_THAT(silent.out, containing("its file does not say"));
    CHECK(silent.out.find("0.0000") == std::string::npos);
    CHECK(nlohmann::json::parse(headroom_command("models silent --json").out)["models"][0]["training"].is_null());
    for (const std::string broken : {"liar", "forgetful", "stray"}) {
        INFO(broken);
        const Ran one = headroom_command("models " + broken);
        CHECK(is_refusal(one));
        CHECK_THAT(one.err, containing(broken + ".safetensors: "));
    }
    CHECK_THAT(headroom_command("models liar").err, containing("headroom.training"));
    CHECK_THAT(headroom_command("models").err, containing("stray.safetensors"));
    CHECK_THAT(headroom_command("models absent").err, containing("'absent'"));
    unsetenv("HEADROOM_MODELS");
}

TEST_CASE("convert writes a checkpoint of the same form that has fewer KV heads")
{
    const Files file;
    const Ran run =
        headroom_command("convert --kv-heads 1 --text abcdef --json " + file("model.bin") + " " + file("out.bin"));
    REQUIRE(run.exit_code == 0);
    const auto json = nlohmann::json::parse(run.out);
    CHECK(json["before"]["kv_heads"] == 2);
    CHECK(json["after"]["kv_heads"] == 1);
    CHECK(read_llama2c(file("out.bin")).config.kv_heads == 1);
    const auto after =
        nlohmann::json::parse(headroom_command("score --text abcdef --json --model " + file("out.bin")).out);
    CHECK(after["perplexity"] == json["after"]["perplexity"]);
}

TEST_CASE("batch --json has each way's counts")
{
    const Ran run = headroom_command("batch --lengths 5,7,30 --json");
    REQUIRE(run.exit_code == 0);
    const auto json = nlohmann::json::parse(run.out);
    CHECK(json["schema"] == "headroom.batch/1");
    for (const char* way : {"padded", "bucketed", "ragged"}) {
        CHECK(json["ways"][way]["useful_tokens"] == 42);
        CHECK(json["ways"][way]["equal_to_alone"] == true);
    }
    CHECK(json["ways"]["padded"]["padded_tokens"] == 3 * 30 - 42);
    CHECK(json["ways"]["ragged"]["padded_tokens"] == 0);
}

TEST_CASE("the tour is plain text in a pipe, at most 78 columns wide, and shows what it promises")
{
    const Ran run = headroom_command("tour --steps 12 --prompt Hi --without-kernels --pictures ''");
    REQUIRE(run.exit_code == 0);
    CHECK(run.err.empty());
    CHECK(run.out.find('\033') == std::string::npos);
    for (const char* promised : {"87.5 %", "MHA", "GQA", "MQA", "concat", "preallocated", "growing", "paged", "ring",
                                 "prefill", "decode", "multiply-adds", "the text is the same"})
        CHECK(run.out.find(promised) != std::string::npos);
    CHECK(widest_line(run.out) <= 78);
}

TEST_CASE("the tour takes any prompt, and shows no row twice in its shortest form")
{
    std::string prompt = "\033[31mtabs\tand\nlines ";
    while (prompt.size() < 400) prompt += "word ";
    const Ran run = headroom_program({"tour", "--steps", "2", "--prompt", prompt});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    CHECK(run.out.find_first_of("\033\t") == std::string::npos);
    CHECK(widest_line(run.out) <= 78);
    std::istringstream lines(run.out);
    int prompts = 0;
    for (std::string line; std::getline(lines, line);) prompts += line.starts_with("  prompt ");
    CHECK(prompts == 1);
}
