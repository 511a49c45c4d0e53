// Bad input ends in exactly one line on stderr, nothing on stdout, exit code 2, and no file that was not there before.
#include "reference/tensor/files.h"
#include "reference/tensor/random.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <iterator>
#include <set>
#include <sstream>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

struct Wrong {
    std::string line;    // the arguments
    std::string message; // what the line on stderr says, among other things
};

const std::vector<Wrong> wrong{
    // no command, or none that there is
    {"", "command"},
    {"attned", "'attned'"},
    {"--verbose", "headroom"},
    {"--verbose attend good -o out", "--verbose"},
    {"attend good -o out --verbose", "--verbose"},

    // attend: the command line
    {"attend", "problem"},
    {"attend good", "--output"},
    {"attend good -o", "--output"},
    {"attend -o out", "problem"},
    {"attend good more -o out", "more"},
    {"attend good -o out --window three", "three"},
    {"attend good -o out --causal --window 99999999999999999999", "99999999999999999999"},
    {"attend good -o out --scale", "--scale"},
    {"attend good -o out --scale small", "small"},
    {"attend good -o out --scale 1e999", "1e999"},
    {"attend good -o out --scale nan", "scale"},
    {"attend good -o out --align middle", "middle"},
    {"attend good -o out --impl magic", "magic"},
    {"attend good -o out --window 2", "causal"},
    {"attend good -o out --causal --sinks 1", "window"},
    {"attend good -o out --causal --window -1", "window"},
    {"attend good -o out --softcap -1", "cap"},
    {"attend good -o no/such/folder/out", "no/such/folder/out"},
    {"attend good -o folder", "folder"},

    // attend: the file
    {"attend absent -o out", "absent"},
    {"attend folder -o out", "folder"},
    {"attend empty -o out", "empty: not a valid safetensors file"},
    {"attend text -o out", "text: not a valid safetensors file"},
    {"attend cut -o out", "cut: not a valid safetensors file"},
    {"attend without_k -o out", "'k'"},
    {"attend integer_q -o out", "dtype i32"},
    {"attend flat_q -o out", "q [4, 8]"},
    {"attend three_heads -o out", "heads"},
    {"attend other_head_dim -o out", "[1, 2, 5, 7]"},
    {"attend other_batch -o out", "v"},
    {"attend short_v -o out", "v"},
    {"attend wide_mask -o out", "mask"},
    {"attend wide_bias -o out", "bias"},
    {"attend too_long -o out", "kv_lengths"},
    {"attend negative_length -o out", "kv_lengths"},
    {"attend one_sink -o out", "sink_logits"},
    {"attend stranger -o out", "stranger"},

    // generate and score
    {"generate more", "more"},
    {"generate --steps -1", "--steps"},
    {"generate --steps few", "few"},
    {"generate --steps 1000000", "context"},
    {"generate --cache pile", "cache kind 'pile'"},
    {"generate --kv-dtype f31", "dtype 'f31'"},
    {"generate --temperature -1", "--temperature"},
    {"generate --top-p 2", "--top-p"},
    {"generate --model absent", "absent"},
    {"generate --model text --tokenizer text", "text: not a valid"},
    {"generate --model empty --tokenizer empty", "empty"},
    {"generate --model folder", "folder"},
    {"score", "--text"},
    {"score --text", "--text"},
    {"score --model cut --tokenizer text --text x", "cut"},

    // cache and mla
    {"cache --kind pile", "cache kind 'pile'"},
    {"cache --steps -1", "steps is -1"},
    {"cache --batch 0", "batch is 0"},
    {"cache --factor 0.5", "growth factor"},
    {"cache --kv-dtype f31", "dtype 'f31'"},
    {"cache --kind preallocated --max 10 --steps 11 --json", "it holds 10 tokens"},
    {"cache --kind ring --window 0", "window"},
    {"cache --head-dim 9223372036854775807", "too many elements"},
    {"mla more", "more"},
    {"mla --steps -3", "steps is -3"},
    {"mla --kv-dtype f31", "dtype 'f31'"},

    // plan
    {"plan", "--config"},
    {"plan --config absent", "absent"},
    {"plan --config text", "text: not JSON"},
    {"plan --config folder", "folder"},
    {"plan --config config --batch -1", "--batch is -1"},
    {"plan --config config --gpu moon", "'moon'"},
    {"plan --config config --memory lots", "'lots'"},
    {"plan --config config --kv-dtype f31", "'f31'"},

    // verify
    {"verify --impl magic", "magic"},
    {"verify --executor moon", "moon"},
    {"verify --problem absent", "absent"},
    {"verify --problem flat_q", "flat_q"},
};

// Files for the lines above: a good problem, and good ones with one thing wrong.
void make_files(const fs::path& folder)
{
    Random random(5);
    const auto problem = [&](const std::string& name, auto change) {
        NamedTensors file;
        const auto set = [&](const std::string& tensor, Shape shape, DType type = DType::f32) {
            file.tensors.insert_or_assign(tensor, store(random_uniform(std::move(shape), random), type));
        };
        set("q", {1, 4, 3, 8});
        set("k", {1, 2, 5, 8});
        set("v", {1, 2, 5, 6});
        change(set, file);
        write_safetensors(folder / name, file);
    };
    problem("good", [](auto, auto&) {});
    problem("without_k", [](auto, auto& file) { file.tensors.erase("k"); });
    problem("integer_q", [](auto set, auto&) { set("q", {1, 4, 3, 8}, DType::i32); });
    problem("flat_q", [](auto set, auto&) { set("q", {4, 8}); });
    problem("three_heads", [](auto set, auto&) { set("q", {1, 3, 3, 8}); });
    problem("other_head_dim", [](auto set, auto&) { set("k", {1, 2, 5, 7}); });
    problem("other_batch", [](auto set, auto&) { set("v", {2, 2, 5, 6}); });
    problem("short_v", [](auto set, auto&) { set("v", {1, 2, 4, 6}); });
    problem("wide_mask", [](auto set, auto&) { set("mask", {3, 6}, DType::boolean); });
    problem("wide_bias", [](auto set, auto&) { set("bias", {1, 3, 3, 5}); });
    problem("too_long",
            [](auto, auto& file) { file.tensors.emplace("kv_lengths", store(Tensor({1}, 6), DType::i64)); });
    problem("negative_length",
            [](auto, auto& file) { file.tensors.emplace("kv_lengths", store(Tensor({1}, -1), DType::i64)); });
    problem("one_sink", [](auto set, auto&) { set("sink_logits", {1}); });
    problem("stranger", [](auto set, auto&) { set("stranger", {1}); });

    const std::vector<std::byte> good = read_file(folder / "good");
    write_file(folder / "cut", std::span(good).first(good.size() - 1));
    write_file(folder / "empty", "");
    write_file(folder / "text", "four score and seven years ago\n");
    write_file(folder / "config", R"({"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 2,
                                     "num_attention_heads": 8, "num_key_value_heads": 2})");
    fs::create_directory(folder / "folder");
}

std::vector<std::string> words(const std::string& line)
{
    std::istringstream from(line);
    return {std::istream_iterator<std::string>(from), {}};
}

std::set<fs::path> everything_in(const fs::path& folder)
{
    return {fs::recursive_directory_iterator(folder), fs::recursive_directory_iterator()};
}

} // namespace

TEST_CASE("each wrong command line or file ends in one line on stderr, exit code 2, and no file left behind")
{
    const TemporaryFolder folder;
    make_files(folder.path());
    const auto before = everything_in(folder.path());
    for (const Wrong& each : wrong) {
        const Ran outcome = headroom_program(words(each.line), folder.path());
        INFO("headroom " << each.line << "\nstderr: " << outcome.err << "stdout: " << outcome.out);
        CHECK(is_refusal(outcome));
        CHECK(outcome.err.starts_with("headroom: "));
        CHECK_THAT(outcome.err, containing(each.message));
        for (const fs::path& left : everything_in(folder.path()))
            if (!before.contains(left)) {
                FAIL_CHECK(left.filename() << " was left behind");
                fs::remove(left);
            }
    }
    CHECK(wrong.size() >= 30);
}

TEST_CASE("what surrounds the wrong ones is right: the good file, help at every level, the version")
{
    const TemporaryFolder folder;
    make_files(folder.path());
    const Ran good = headroom_program(words("attend good -o out"), folder.path());
    CHECK((good.exit_code == 0 && good.out.empty() && good.err.empty()));
    CHECK(fs::exists(folder.path() / "out"));

    const Ran help = headroom_program({"--help"}, folder.path());
    CHECK((help.exit_code == 0 && help.err.empty()));
    for (const std::string command : {
#define COMMAND(name, summary) #name,
#include "cli/commands.inc"
#undef COMMAND
         }) {
        INFO(command);
        CHECK_THAT(help.out, containing("\n  " + command + " "));
        const Ran own = headroom_program({command, "--help"}, folder.path());
        CHECK((own.exit_code == 0 && own.err.empty() && own.out.find("--help") != std::string::npos));
    }
    CHECK(headroom_program({"--version"}, folder.path()).out == "0.1.0\n");
}

TEST_CASE("a message stays one line whatever stands in the file's name")
{
    const TemporaryFolder folder;
    const Ran outcome = headroom_program({"attend", "two\nlines", "-o", "out"}, folder.path());
    CHECK(is_refusal(outcome));
}
