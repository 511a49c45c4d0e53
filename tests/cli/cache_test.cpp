// headroom cache and headroom mla: stable JSON from real runs, and one line for what is wrong.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include <nlohmann/json.hpp>

using namespace headroom;
using nlohmann::json;

namespace {

json printed(std::vector<std::string> options)
{
    options.push_back("--json");
    const Ran ran = headroom_program(options);
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    return json::parse(ran.out);
}

} // namespace

TEST_CASE("cache --json has an entry for the prefill and for each step, with the counters of the laws")
{
    const json run = printed({"cache",      "--kind",    "growing",    "--batch",  "2",       "--kv-heads", "3",
                              "--head-dim", "4",         "--kv-dtype", "bf16",     "--steps", "4",          "--prefill",
                              "7",          "--initial", "4",          "--factor", "1.5",     "--max",      "11"});
    CHECK(run["schema"] == "headroom.cache/1");
    const json& steps = run["steps"];
    REQUIRE(steps.size() == 4 + 1);
    const std::int64_t token = 2 * 3 * 8 * 2;
    for (std::size_t i = 0; i < 4; ++i) CHECK(steps[i]["live_bytes"] == (7 + static_cast<std::int64_t>(i)) * token);
    CHECK(steps[0] == json{{"length", 7},
                           {"live_bytes", 7 * token},
                           {"reserved_bytes", 7 * token},
                           {"copied_bytes", 0},
                           {"peak_bytes", 7 * token},
                           {"allocations", 1}});
    CHECK(steps[1] == json{{"length", 8},
                           {"live_bytes", 8 * token},
                           {"reserved_bytes", 10 * token},
                           {"copied_bytes", 7 * token},
                           {"peak_bytes", 17 * token},
                           {"allocations", 2}});
    CHECK(steps[4]["reserved_bytes"] == 11 * token); // the cap
}

TEST_CASE("a step beyond --max is refused: exit code 2, nothing on stdout")
{
    const Ran ran = headroom_program({"cache", "--kind", "growing", "--max", "11", "--steps", "12", "--json"});
    CHECK(is_refusal(ran));
    CHECK(ran.err == "headroom: growing cache: it may grow to 11 tokens, 12 were asked for\n");
}

TEST_CASE("bf16 halves live bytes exactly, and a ring's bytes stay the same over 500 steps")
{
    const auto live = [](const std::string& type) {
        return printed({"cache", "--kind", "concat", "--kv-dtype", type})["steps"]
            .back()["live_bytes"]
            .get<std::int64_t>();
    };
    CHECK(live("f32") == 2 * live("bf16"));
    const json ring =
        printed({"cache", "--kind", "ring", "--window", "64", "--sinks", "4", "--prefill", "100", "--steps", "500"});
    for (const json& step : ring["steps"]) {
        CHECK(step["live_bytes"] == ring["steps"][0]["live_bytes"]);
        CHECK(step["reserved_bytes"] == ring["steps"][0]["reserved_bytes"]);
    }
    CHECK(ring["steps"].back()["length"] == 600);
}

TEST_CASE("without --json cache and mla print tables")
{
    const Ran cache = headroom_program({"cache", "--kind", "paged", "--kv-dtype", "i8", "--errors"});
    CHECK(cache.exit_code == 0);
    for (const char* word : {"live bytes", "pages:", "relative RMS", "per-channel"})
        CHECK(cache.out.find(word) != std::string::npos);
    const Ran mla = headroom_program({"mla"});
    CHECK(mla.exit_code == 0);
    CHECK(mla.out.find("MLA expanded") != std::string::npos);
}

TEST_CASE("mla --json: both computations agree, and DeepSeek-V2-Lite's bytes are its own")
{
    const json run = printed({"mla"});
    CHECK(run["schema"] == "headroom.mla/1");
    CHECK(run["equal"] == true);
    CHECK(run["max_difference"].get<double>() < 1e-12);
    CHECK(run["caches"][0]["bytes_per_token"] == 27 * 576 * 2);
    CHECK(run["caches"][1]["bytes_per_token"] == 27 * 16 * 320 * 2);
}

TEST_CASE("wrong options of cache and mla: one line on stderr, exit code 2, nothing on stdout")
{
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"cache", "--kind", "static"},
             {"cache", "--kv-dtype", "i64"},
             {"cache", "--kv-dtype", "f16", "--kv-scale", "per-head"},
             {"cache", "--kv-dtype", "i8", "--kv-scale", "per-row"},
             {"cache", "--steps", "0"},
             {"cache", "--steps", "-1"},
             {"cache", "--steps", "many"},
             {"cache", "--batch", "0"},
             {"cache", "--kv-heads", "-2"},
             {"cache", "--head-dim", "0"},
             {"cache", "--prefill", "-1"},
             {"cache", "--kind", "growing", "--factor", "0.5"},
             {"cache", "--kind", "growing", "--factor", "nan"},
             {"cache", "--kind", "preallocated", "--max", "-1"},
             {"cache", "--kind", "paged", "--block", "0"},
             {"cache", "--kind", "paged", "--pool", "1", "--block", "2", "--steps", "3"},
             {"cache", "--kind", "ring", "--window", "0"},
             {"cache", "--kind", "ring", "--chunk", "0"},
             {"cache", "--head-dim", "4000000000000000000"},
             {"cache", "--wrong"},
             {"mla", "--rope", "3"},
             {"mla", "--heads", "5"},
             {"mla", "--kv-dtype", "f12"},
             {"mla", "--prefill", "0"}}) {
        std::string line;
        for (const std::string& word : options) line += word + " ";
        INFO(line);
        CHECK(is_refusal(headroom_program(options)));
    }
}
