// The script for a machine with a GPU, tried on the host: all its steps, in small.
#include "reference/tensor/files.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace headroom;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// A build folder of its own for each test: the programs, and what the script leaves there.
struct DryRun {
    DryRun()
    {
        for (const char* program : {"gpu_bench", "headroom"})
            fs::create_symlink(fs::path(HEADROOM_BUILD_FOLDER) / program, folder.path() / program);
    }
    int run(const std::string& build)
    {
        const std::string script = shell_word(HEADROOM_SOURCE_FOLDER "/cuda/gpu_check.sh");
        const std::string path = "PATH=" + shell_word(folder.path()) + ":\"$PATH\" ";
        return std::system(
            (path + script + " --dry-run " + shell_word(build) + " >" + shell_word(log) + " 2>&1").c_str());
    }
    int run() { return run(folder.path()); }
    // `timeout` does what it is asked, but where that holds `whose`, it ends at once, as if after its time.
    void slow(const std::string& whose, int exit_code)
    {
        program("timeout", "#!/bin/sh\ncase \"$*\" in *" + whose + "*) echo '{' && exit " + std::to_string(exit_code) +
                               ";; esac\nshift\nexec \"$@\"\n");
    }
    void program(const char* name, const std::string& script) // found before the machine's own
    {
        write_file(folder.path() / name, script);
        fs::permissions(folder.path() / name, fs::perms::owner_all);
    }

    TemporaryFolder folder;
    const fs::path log = folder.path() / "log", result = folder.path() / "gpu_check_dry_run.json";
};

bool timed(const json& table, const std::string& step)
{
    for (const json& row : table.at("rows"))
        if (row.at("impl") == step) return !row.contains("failed") && row.at("us") > 0;
    return false;
}

} // namespace

TEST_CASE("the GPU check runs to its end on the host")
{
    DryRun dry;
    REQUIRE(dry.run() == 0);
    const json all = json::parse(std::ifstream(dry.result));
    CHECK(all.at("schema") == "headroom.gpu_check/1");
    CHECK(all.at("first").at("executor") == "simt"); // never to be taken for a GPU's numbers
    CHECK(all.at("first").at("kernel") == "passed");
    CHECK(all.at("first").at("tensor_map") == "passed");
    CHECK(all.at("check").at("passed") > 10);
    CHECK(all.at("check").at("failed") == 0);
    CHECK(all.at("sanitizer").contains("skipped"));
    CHECK(all.at("ceilings").at("copy_tb_per_s") > 0);
    CHECK(all.at("ceilings").at("read_tb_per_s") > 0);
    for (const char* step : {"decode/01_naive", "decode/07_balanced", "decode/09_quantised", "decode/10_tma_ring"})
        CHECK(timed(all.at("decode"), step));
    CHECK(timed(all.at("prefill"), "prefill/05_flash_wgmma"));
    CHECK(all.at("decode").at("left_out").empty());
    CHECK((all.at("rivals").contains("skipped") || all.at("rivals").contains("rows")));
}

TEST_CASE("a rival that is too slow or breaks is missing with the reason, and the GPU check passes")
{
    for (const auto& [code, words] :
         {std::pair{124, "rivals.py took longer than 70 seconds"}, {3, "rivals.py ended with exit code 3"}}) {
        DryRun dry;
        dry.slow("rivals.py", code);
        dry.program("python3", "#!/bin/sh\n"); // is there, and never comes to run
        REQUIRE(dry.run() == 0);
        CHECK(json::parse(std::ifstream(dry.result)).at("rivals") == json{{"skipped", words}});
    }
}

TEST_CASE("what is ours and too slow fails the GPU check")
{
    DryRun dry;
    dry.slow("prefill", 124);
    CHECK(dry.run() != 0);
    CHECK(!fs::exists(dry.result));
}

TEST_CASE("the GPU check takes nothing that looks like an option for a folder")
{
    CHECK(DryRun().run("--help") != 0);
    CHECK(!fs::exists(HEADROOM_SOURCE_FOLDER "/--help"));
}

TEST_CASE("the GPU check stops at the first step that fails, and leaves no result")
{
    DryRun dry;
    fs::remove(dry.folder.path() / "gpu_bench");
    CHECK(dry.run() != 0);
    CHECK(!fs::exists(dry.result));
    std::ifstream log(dry.log);
    const std::string text{std::istreambuf_iterator<char>(log), {}};
    CHECK(text.find("FAILED: gpu_bench first") != text.npos);
}

TEST_CASE("all the time that the GPU check may take is nine minutes: a GPU is lent for ten at a time")
{
    std::ifstream script(HEADROOM_SOURCE_FOLDER "/cuda/gpu_check.sh");
    const std::string text{std::istreambuf_iterator<char>(script), {}};
    const std::size_t begin = text.find("declare -A limit=("), end = text.find(')', begin);
    REQUIRE(begin != std::string::npos);
    int steps = 0, seconds = 0;
    for (std::size_t at = text.find("]=", begin); at < end; at = text.find("]=", at + 1), ++steps)
        seconds += std::stoi(text.substr(at + 2));
    CHECK(steps == 8);
    CHECK(seconds <= 540);
    CHECK(text.find("# Seconds that each step may take: " + std::to_string(seconds) + " in all") != std::string::npos);
    for (std::size_t at = text.find("timeout "); at != std::string::npos; at = text.find("timeout ", at + 1)) {
        const std::string what = text.substr(at, text.find('\n', at) - at);
        INFO(what);
        CHECK((what.find("limit[") < 20 || what.starts_with("timeout \"$seconds\"")));
    }
}
