// headroom attend: right numbers in the right type, and one line and no file for what is wrong.
#include "reference/attention/attention.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/small_problem.h"
#include "tests/support/temporary_folder.h"
#include <cmath>
#include <fstream>

using namespace headroom;

namespace {

struct Bench { // a folder with a problem in it
    TemporaryFolder folder;
    std::string in = folder.path() / "in.safetensors", out = folder.path() / "out.safetensors";
    OwnedProblem problem;

    explicit Bench(OwnedProblem p) : problem(std::move(p)) { write_problem(in, problem); }

    Ran attend(std::vector<std::string> options) const
    {
        options.insert(options.begin(), {"attend", in, "-o", out});
        return headroom_program(options);
    }
    std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
    }
};

void expect_close(const StoredTensor& got, const Tensor& expected, double bound)
{
    REQUIRE(got.shape() == expected.shape());
    const Tensor values = load(got);
    for (std::size_t n = 0; n < expected.values().size(); ++n) {
        const double a = values.values()[n], b = expected.values()[n];
        if (a != b && !(std::fabs(a - b) <= bound)) FAIL_CHECK("element " << n << " is " << a << ", expected " << b);
    }
}

} // namespace

TEST_CASE("attend writes output and lse, F64 where q, k and v all are")
{
    for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
        const Bench bench(small_problem(type));
        const Ran ran = bench.attend({"--causal"});
        INFO(ran.err);
        REQUIRE(ran.exit_code == 0);
        const NamedTensors file = read_safetensors(bench.out);
        REQUIRE(file.tensors.size() == 2);
        const AttentionStages expected = attention(bench.problem.problem());
        CHECK(file.tensors.at("output").type() == (type == DType::f64 ? DType::f64 : DType::f32));
        CHECK(file.tensors.at("lse").type() == (type == DType::f64 ? DType::f64 : DType::f32));
        expect_close(file.tensors.at("output"), expected.output, type == DType::f64 ? 0 : 1e-6);
        expect_close(file.tensors.at("lse"), expected.lse, type == DType::f64 ? 0 : 1e-6);
    }
}

TEST_CASE("one input that is not F64 makes the result F32")
{
    OwnedProblem mixed = small_problem();
    mixed.k = store(load(mixed.k), DType::f32);
    const Bench bench(std::move(mixed));
    REQUIRE(bench.attend({}).exit_code == 0);
    CHECK(read_safetensors(bench.out).tensors.at("output").type() == DType::f32);
}

TEST_CASE("every option of attend arrives, with either implementation")
{
    OwnedProblem p = small_problem();
    p.options = {.scale = 0.25, .soft_cap = 3, .causal = Causal::top_left, .window = 2, .sinks = 1};
    const Bench bench(std::move(p));
    const AttentionStages expected = attention(bench.problem.problem());
    const std::vector<std::string> options{"--causal", "--align",   "top-left", "--window", "2",   "--sinks",
                                           "1",        "--softcap", "3",        "--scale",  "0.25"};
    for (const std::string impl : {"reference", "online"}) {
        std::vector<std::string> all = options;
        all.insert(all.end(), {"--impl", impl});
        REQUIRE(bench.attend(all).exit_code == 0);
        expect_close(read_safetensors(bench.out).tensors.at("output"), expected.output, 1e-12);
    }
    std::vector<std::string> with_stages = options;
    with_stages.push_back("--stages");
    REQUIRE(bench.attend(with_stages).exit_code == 0);
    const NamedTensors file = read_safetensors(bench.out);
    CHECK(file.tensors.size() == stages().size());
    for (const Stage& stage : stages())
        expect_close(file.tensors.at(std::string(stage.name)), expected.*stage.tensor, 0);
}

TEST_CASE("without --causal every query sees every key")
{
    OwnedProblem p = small_problem();
    p.options.causal = Causal::none;
    const Bench bench(std::move(p));
    REQUIRE(bench.attend({}).exit_code == 0);
    expect_close(read_safetensors(bench.out).tensors.at("output"), attention(bench.problem.problem()).output, 0);
}

TEST_CASE("wrong options are refused in one line, and no file is left behind")
{
    const Bench bench(small_problem());
    const std::vector<std::vector<std::string>> wrong{{"--window", "2"},
                                                      {"--causal", "--sinks", "1"},
                                                      {"--causal", "--window", "-1"},
                                                      {"--causal", "--window", "1.5"},
                                                      {"--causal", "--window", "99999999999999999999"},
                                                      {"--causal", "--window", "2", "--sinks", "-1"},
                                                      {"--softcap", "-1"},
                                                      {"--softcap", "nan"},
                                                      {"--softcap", "x"},
                                                      {"--scale", "inf"},
                                                      {"--scale", "nan"},
                                                      {"--scale", ""},
                                                      {"--align", "middle"},
                                                      {"--impl", "no_such"},
                                                      {"--executor", "simt"},
                                                      {"--executor", "auto", "--impl", "online"},
                                                      {"--executor", "gpu"},
                                                      {"--unknown"},
                                                      {"another"}};
    for (const std::vector<std::string>& options : wrong) {
        const Ran ran = bench.attend(options);
        INFO(options[0] << " " << options.back() << ": " << ran.exit_code << " " << ran.err);
        CHECK(is_refusal(ran));
        CHECK(bench.files() == 1);
    }
}

TEST_CASE("wrong files are refused in one line, and nothing is lost")
{
    const Bench bench(small_problem());
    const std::string folder = bench.folder.path(), bad = folder + "/bad.safetensors";
    std::ofstream(bad) << "not a safetensors file";
    CHECK(is_refusal(headroom_program({"attend", bad, "-o", bench.out})));
    CHECK(is_refusal(headroom_program({"attend", folder + "/absent", "-o", bench.out})));
    CHECK(is_refusal(headroom_program({"attend", folder, "-o", bench.out})));
    CHECK(is_refusal(headroom_program({"attend", bench.in, "-o", folder + "/no/such/folder/out"})));
    CHECK(is_refusal(headroom_program({"attend", bench.in, "-o", folder})));
    CHECK(is_refusal(headroom_program({"attend", bench.in, "-o", bench.in})));
    CHECK(is_refusal(headroom_program({"attend", bench.in})));
    CHECK(is_refusal(headroom_program({"attend"})));

    NamedTensors odd = tensors_of(small_problem());
    odd.tensors.emplace("kv_length", StoredTensor({2}, DType::i64));
    write_safetensors(bad, odd);
    const Ran ran = headroom_program({"attend", bad, "-o", bench.out});
    CHECK(is_refusal(ran));
    CHECK(ran.err.find("kv_length") != std::string::npos);
    CHECK(bench.files() == 2);
    CHECK_NOTHROW(read_problem(bench.in));
}

TEST_CASE("attend says of a kernel why it does not run there, and lists each name once")
{
    const Bench bench(small_problem(DType::f32));
    const Ran unknown = bench.attend({"--impl", "nosuch"});
    CHECK(is_refusal(unknown));
    const std::size_t first = unknown.err.find("decode/01_naive");
    REQUIRE(first != std::string::npos);
    CHECK(unknown.err.find("decode/01_naive", first + 1) == std::string::npos);

    const Ran device = bench.attend({"--impl", "decode/01_naive", "--executor", "device"});
    if (device.exit_code == 0) return; // there is a GPU
    CHECK(is_refusal(device));
    CHECK(device.err.find("does not run on 'device' here: no ") != std::string::npos);
}
