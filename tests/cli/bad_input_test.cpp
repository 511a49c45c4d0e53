// Bad input ends in exactly one line on stderr, nothing on stdout, exit code 2, and no file that was not there before.
#include "reference/tensor/files.h"
#include "reference/tensor/random.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
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
    {"attend good -o out --scale 1e300", "scale is beyond float"},
    {"attend good -o out --softcap 1e300", "softcap is beyond float"},
    {"attend good -o out --align middle", "middle"},
    {"attend good -o out --impl magic", "magic"},
    {"attend good -o out --window 2", "causal"},
    {"attend good -o out --causal --sinks 1", "window"},
    {"attend good -o out --causal --window -1", "window"},
    {"attend good -o out --softcap -1", "cap"},
    {"attend good -o no/such/folder/out", "no/such/folder/out"},
    {"attend good -o folder", "folder"},
    {"attend good -o good", "written over"},
    {"attend good -o ''", "--output"},
    {"attend '' -o out", "problem"},
    {"attend good -o out --align top-left", "--align requires --causal"},
    {"attend good -o out --softcap inf", "not a finite number"},
    {"attend good -o out -o out2", "--output"},

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
    {"generate --temperature nan", "not a finite number"},
    {"generate --temperature 1 --top-p nan", "not a finite number"},
    {"generate --factor inf", "not a finite number"},
    {"generate --model ''", "--model"},
    {"generate --tokenizer text", "name it with --model"},
    {"generate --no-cache --cache concat", "--no-cache"},
    {"generate --no-cache --max 30", "--no-cache"},
    {"generate --cache ring", "window"},
    {"generate --seed -1", "--seed"},
    {"chat more", "more"},
    {"chat --say a --steps -1", "--steps"},
    {"chat --say a --cache pile", "cache kind 'pile'"},
    {"chat --say a --cache ring", "window"},
    {"chat --say a --kv-dtype f31", "dtype 'f31'"},
    {"chat --say a --temperature nan", "not a finite number"},
    {"chat --say a --seed few", "few"},
    {"chat --say a --model absent", "absent"},
    {"chat --say a --no-cache --max 9", "--no-cache"},
    {"chat --say a --threads 2", "--threads needs --impl parallel"},
    {"chat --say", "--say"},
    {"chat --say /undo", "no turn"},
    {"chat --say /fork", "'/fork'"},
    {"chat --say a --max 2", "more than the 2 that fit"},
    {"score", "--text"},
    {"score --text x --no-cache --block 4", "--no-cache"},
    {"chat --cache paged --block 0", "--block: 0 is not above 0"},
    {"generate --temperature -1", "--temperature: -1 is negative"},
    {"generate --temperature inf", "--temperature: 'inf' is not a finite number"},
    {"generate --steps few", "--steps: 'few' is not a number"},
    {"chat --say a --steps ''", "--steps: '' is not a number"},
    {"score --text x --impl magic", "magic"},
    {"score --text x --impl online --threads 2", "--threads needs --impl parallel"},
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
    {"cache --head-dim 9223372036854775807", "out of range"},
    {"cache --head-dim 1099511627776", "at most 2^28"},
    {"cache --layers 1099511627776", "at most 2^28"},
    {"cache --batch 1099511627776", "at most 2^28"},
    {"cache --kind ring --window 1099511627776", "number in 32 bits"},
    {"cache --kind ring --batch 100000 --window 100000 --kv-heads 1 --head-dim 1", "number in 32 bits"},
    {"cache --factor nan", "'nan'"},
    {"cache --kind ''", "--kind"},
    {"mla more", "more"},
    {"mla --steps -3", "steps is -3"},
    {"mla --kv-dtype f31", "dtype 'f31'"},
    {"mla --layers 1099511627776", "layers is 1099511627776, it must be at least 1 and at most"},
    {"mla --nope 1099511627776", "nope is 1099511627776"},
    {"mla --kv-heads 3", "multiple"},
    {"mla --cache pile", "cache kind 'pile'"},
    {"mla --cache ring --kv-dtype ''", "--kv-dtype"},

    // bench
    {"bench --case D9", "no case begins with 'D9'"},
    {"bench --case trial --block-ms 1e300", "--block-ms"},
    {"bench --case trial --rounds 0", "--rounds"},
    {"bench --case trial --svg x.svg", "--case long"},

    // batch, convert and tour
    {"batch more", "more"},
    {"batch --lengths", "--lengths"},
    {"batch --lengths x", "--lengths"},
    {"batch --lengths 1.5", "--lengths"},
    {"batch --lengths 3,-1", "--lengths"},
    {"batch --lengths 1,,2", "'' is no number"},
    {"batch --lengths 1,2,", "'' is no number"},
    {"batch --lengths ,", "'' is no number"},
    {"batch --lengths ''", "--lengths"},
    {"batch --lengths 1,+5", "'+5' is no number"},
    {"batch --lengths 0x10", "'0x10' is no number"},
    {"batch --lengths 1 2", "2"},
    {"batch --lengths 0,0", "no sequence has a token"},
    {"batch --lengths 1000000", "context"},
    {"batch --padding top", "--padding"},
    {"batch --seed x", "--seed"},
    {"batch --model absent", "'absent'"},
    {"batch --model empty --tokenizer text", "empty: not a valid"},
    {"convert", "in is required"},
    {"convert good", "out is required"},
    {"convert good out", "--kv-heads"},
    {"convert good out --kv-heads x", "--kv-heads"},
    {"convert absent out --kv-heads 1", "cannot read absent"},
    {"convert folder out --kv-heads 1", "folder"},
    {"convert empty out --kv-heads 1", "empty: not a valid"},
    {"convert good good --kv-heads 1", "written over"},
    {"convert good out --kv-heads 1", "good: not a valid checkpoint"},
    {"convert cut out --kv-heads 1", "cut: not a valid"},
    {"convert good out more --kv-heads 1", "more"},
    {"tour more", "more"},
    {"tour --steps 1", "--steps"},
    {"tour --steps 257", "--steps"},
    {"tour --steps few", "few"},
    {"tour --model absent", "'absent'"},
    {"tour --model text --tokenizer text", "text: not a valid"},
    {"tour --tokenizer text", "name it with --model"},

    // plan
    {"plan", "--config"},
    {"plan --config absent", "absent"},
    {"plan --config text", "text: not JSON"},
    {"plan --config folder", "folder"},
    {"plan --config config --batch -1", "--batch is -1"},
    {"plan --config config --gpu moon", "'moon'"},
    {"plan --config config --memory lots", "'lots'"},
    {"plan --config config --kv-dtype f31", "'f31'"},
    {"plan --config config --svg config", "written over"},
    {"plan --config ''", "--config"},

    // verify
    {"verify --impl magic", "magic"},
    {"verify --executor moon", "moon"},
    {"verify --problem absent", "absent"},
    {"verify --problem flat_q", "flat_q"},
    {"verify --problem ''", "--problem"},
    {"verify --impl online --causal", "--causal requires --problem"},
    {"verify --impl online --window 3", "--window requires --problem"},
    {"verify --impl online --scale 3", "--scale requires --problem"},
    {"verify --problem good --align top-left", "--align requires --causal"},
    {"verify --problem good --quick", "--quick"},
    {"verify --outputs good", "--outputs requires --problem"},
    {"verify --problem good --outputs good", "'output'"},
    {"verify --problem good --outputs good --impl online", "--impl"},
    {"verify --plugin absent", "absent"},
    {"verify --plugin text --impl online", "--impl"},

    // record and view
    {"record", "--output"},
    {"record -o ''", "--output"},
    {"record -o folder", "folder"},
    {"record -o no/such/out", "no/such/out"},
    {"record -o out --kv-heads 3", "multiple"},
    {"record -o out --head-dim 0", "head_dim"},
    {"record -o out --steps 9223372036854775807", "out of range"},
    {"record -o out --cache pile", "'pile'"},
    {"record -o out --kv-dtype f31", "'f31'"},
    {"record -o out --executor simt", "--executor requires --checks"},
    {"record -o out --layer 1", "--layer needs --model"},
    {"record -o out --scenes --steps 3", "--scenes excludes --steps"},
    {"view absent", "absent"},
    {"view good", "good: not a valid recording"},
    {"view cut", "cut: not a valid"},
    {"view --scene none", "'none'"},
    {"view --step -2", "--step"},
    {"view --step nan", "--step"},
    {"view --scene memory --step 99999 --describe", "--step 99999: the last step of this run is"},
    {"view --zoom nan", "--zoom"},
    {"view --theme pink", "pink"},
    {"view --size 1x1", "--size"},
    {"view --size +1600x900", "--size"},
    {"view --size 1600x900x", "--size"},
    {"view --size 1600x", "--size"},
    {"view --size 99999999999999999999x900", "--size"},
    {"view --describe --hover q,0,,0,0", "is not like"},
    {"view --describe --hover q,0,+1,0,0", "is not like"},
    {"view --describe --hover q,0,0,0,0,", "is not like"},
    {"view --describe --hover q,0,0,0,4294967296", "is not like"},
    {"view --describe --hover q,99,0,0,0", "--hover"},
    {"view good --set q_heads=4", "not run again"},
    {"view --set source=model --set q_heads=4 --describe", "--set q_heads changes nothing"},
    {"view --export ''", "--export"},
    {"view --export out.bmp", "out.bmp"},
    {"view --export no/such/out.svg", "no/such/out.svg"},
    {"view --all out --export out.svg", "--all"},
    {"view --all out --scene none", "--all"},
    {"view --all good", "cannot use good: Not a directory"},
    {"tour --pictures good", "good is a file"},

    // bench
    {"bench --case D9", "'D9'"},
    {"bench --case tiny --block-ms 1e300", "--block-ms"},
    {"bench --case long --small --svg folder", "is a folder"},
    {"bench --case long --small --svg no/such/plot.svg", "no folder no/such"},

    // options that would be ignored
    {"attend good -o out --threads 2", "--threads needs --impl parallel"},
    {"attend good -o out --impl parallel --threads 0", "--threads"},
    {"generate --threads 0", "--threads"},
    {"generate --impl parallel --threads 0", "--threads"},
    {"bench --case trial --threads 0", "--threads"},
    {"generate --block 4", "--block needs --cache paged"},
    {"chat --say a --block 4", "--block needs --cache paged"},
    {"score --text x --cache concat --initial 4", "--initial needs --cache growing"},
    {"generate --cache paged --factor 2", "--factor needs --cache growing"},
    {"generate --cache ring --window 8 --max 30", "--max needs --cache preallocated, growing, paged"},
    {"generate --cache pile --block 4", "cache kind 'pile'"},
    {"generate --calibrate x", "--calibrate needs a --kv-scale"},
    {"chat --say a --kv-dtype i8 --kv-scale per-head-and-token --calibrate x", "--calibrate needs a --kv-scale"},
    {"score --text x --storage --positions in-cache --cache ring --window 8 --calibrate x", "in-cache"},
    {"score --text x --storage --kv-dtype i8", "--kv-dtype"},
    {"score --text x --storage --kv-scale per-head", "--kv-scale"},
    {"generate --no-cache --kv-scale per-head", "--kv-scale needs a cache"},
    {"generate --top-p 0.5", "--top-p needs --temperature above 0"},
    {"chat --say a --forgetful --no-cache", "--forgetful needs a cache"},
    {"chat --say a --seed 3", "--seed needs --temperature above 0"},
    {"cache --kind concat --max 40", "--max needs --kind preallocated, growing, paged"},
    {"cache --kind preallocated --initial 4", "--initial needs --kind growing"},
    {"cache --kind ring --factor 2", "--factor needs --kind growing"},
    {"cache --block 4", "--block needs --kind paged"},
    {"cache --pool 4", "--pool needs --kind paged"},
    {"cache --kind paged --pool 4 --max 64", "--max needs no --pool"},
    {"cache --window 4", "--window needs --kind ring"},
    {"cache --kind paged --sinks 4", "--sinks needs --kind ring"},
    {"cache --chunk 4", "--chunk needs --kind ring"},
    {"bench --case trial --small", "--small needs --case article, long, growth or sharing"},
    {"bench --case tiny --impl online", "--impl needs another --case"},
    {"bench --case long --kv-dtype bf16 --small", "--kv-dtype needs another --case"},
    {"bench --case article --rounds 3 --small", "--rounds needs another --case"},
    {"bench --case long article --block-ms 3 --small", "--block-ms needs another --case"},
    {"plan --advice --svg out", "--svg needs --config"},
    {"plan --advice --context 9", "--context needs --config"},
    {"plan --config config --advice --json", "--advice excludes --json"},
    {"plan --config config --reserve 1GiB", "--reserve needs --gpu or --memory"},
    {"plan --config config --gpu h100 --memory 40GiB --bandwidth 1TB/s", "leave nothing to --gpu"},
    {"plan --config config --weight-dtype i4 --weight-bytes 1GiB", "--weight-dtype"},
    {"plan --config config --source-tokens 9 --svg out", "--source-tokens needs a model"},
    {"record -o out --model gqa --head-dim 8", "--head-dim needs random numbers"},
    {"record -o out --text Hi --tokenizer text", "--tokenizer needs --model"},
    {"record -o out --text Hi --prompt 8", "--prompt needs random numbers"},
    {"record -o out --checks online --problem good --quick", "--quick"},
    {"trace --problem good --keys 8", "--problem"},
    {"trace --problem good --seed 8", "--problem"},
    {"trace --blocks 8", "--blocks requires --output"},
    {"tutorial --json --lang zh", "--lang needs a text"},
    {"tutorial museum --pictures out --lang zh", "--lang needs a text"},
    {"view --all out --hover k", "--hover needs one picture, not --all"},
    {"view --all out --speed 2", "--speed needs one picture"},
    {"view --all out --step 2", "--step needs one picture"},
    {"view --export out.svg --zoom 2", "--zoom needs pixels"},
    {"view --describe --zoom 2", "--zoom needs pixels"},
    {"view --describe --theme dark", "--theme needs"},
    {"view --export out.png --speed 2", "--speed needs --export of a film"},
    {"view --hover k", "--hover needs --export or --describe"},
    {"view --window", "--window needs --export or --describe"},
    {"view --export out.svg --time-frames 2", "--time-frames needs the window"},
    {"view --describe --walk", "--walk needs the window"},
    {"view --export out.gif --describe", "--describe needs a picture"},
    {"view --export out.gif --step 2", "--step needs a picture"},
    {"view --export out --walk --scene cache", "--scene needs a picture"},
    {"view good --export out --walk", "--walk shows runs of its own"},
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
    std::vector<std::string> list{std::istream_iterator<std::string>(from), {}};
    std::ranges::replace(list, "''", ""); // an empty one
    return list;
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

TEST_CASE("output that nobody can receive is an error, whatever prints it")
{
    if (!fs::exists("/dev/full")) return;
    const TemporaryFolder folder;
    make_files(folder.path());
    for (const std::string line :
         {"--help", "--version", "attend --help", "cache", "cache --json", "mla", "batch --json",
          "plan --config config", "generate --steps 2", "chat --say a --steps 2", "verify --impl online --problem good",
          "verify --impl online --quick --json"}) { // more than fits into a buffer
        INFO(line);
        const Ran outcome = headroom_program(words(line), folder.path(), "/dev/full");
        CHECK(is_refusal(outcome));
        CHECK(outcome.err.find("standard output") != std::string::npos);
    }
}

TEST_CASE("a message stays one line whatever stands in the file's name")
{
    const TemporaryFolder folder;
    const Ran outcome = headroom_program({"attend", "two\nlines", "-o", "out"}, folder.path());
    CHECK(is_refusal(outcome));
}
