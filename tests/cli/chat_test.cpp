// headroom chat as people and scripts meet it: its events, its commands, odd lines, and how it refuses.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include <nlohmann/json.hpp>
#include <sstream>

using namespace headroom;
using Events = std::vector<nlohmann::json>;

namespace {

std::vector<std::string> chat(const std::string& options)
{
    std::istringstream words("chat " + options + (options.find("--steps") == options.npos ? " --steps 6" : ""));
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    return arguments;
}

Ran typing(const std::string& lines, const std::string& options = "")
{
    return headroom_program(chat(options), ".", {}, lines);
}

Events events(const Ran& ran)
{
    Events list;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) list.push_back(nlohmann::json::parse(line));
    return list;
}

std::vector<int> tokens(const Events& list)
{
    std::vector<int> all;
    for (const auto& event : list)
        if (event["event"] == "turn")
            for (const int token : event["tokens"]) all.push_back(token);
    return all;
}

} // namespace

TEST_CASE("chat --json: an event per turn, whose numbers add up, and one for the end")
{
    const Ran ran = typing("Once upon a time\nTom said\n\n", "--json");
    INFO(ran.err);
    REQUIRE(ran.exit_code == 0);
    const Events list = events(ran);
    REQUIRE(list.size() == 4);
    int length = 0, stateless = 0;
    for (std::size_t turn = 0; turn < 3; ++turn) {
        const auto& event = list[turn];
        CHECK(event["event"] == "turn");
        CHECK(event["turn"] == turn + 1);
        CHECK(event["past_length"] == length);
        stateless += length;
        length += event["prompt_tokens"].get<int>() + event["new_tokens"].get<int>();
        CHECK(event["length"] == length);
        CHECK(event["new_tokens"] == 6);
        CHECK(event["recomputed_tokens"] == 0);
        CHECK(event["live_bytes"] == length * 2 * 5 * 4 * 8 * 4); // K and V, layers, KV heads, D, bytes
        CHECK(event["text"].get<std::string>().size() > 6);
    }
    CHECK(list[2]["prompt_tokens"] == 0);
    CHECK(list[3]["event"] == "end");
    CHECK(list[3]["passed_tokens"] == length);
    CHECK(list[3]["stateless_recomputed_tokens"] == stateless);
}

TEST_CASE("lines typed, lines from --say, a forgetful server and every cache tell the same story")
{
    const Events kept = events(typing("Once upon a time\nTom said\n", "--json"));
    const auto same = [&](const std::string& options) {
        const Ran ran = typing("Once upon a time\nTom said\n", "--json " + options);
        INFO(options << ran.err);
        CHECK(tokens(events(ran)) == tokens(kept));
        return events(ran);
    };
    CHECK(same("--forgetful")[1]["recomputed_tokens"] == kept[1]["stateless_recomputed_tokens"]);
    for (const char* how : {"--no-cache", "--cache concat", "--cache preallocated", "--cache paged --block 3",
                            "--cache ring --window 200", "--chunk 1", "--impl parallel"})
        same(how);
    const Ran said =
        headroom_program({"chat", "--steps", "6", "--json", "--say", "Once upon a time", "--say", "Tom said"});
    CHECK(tokens(events(said)) == tokens(kept));
}

TEST_CASE("/undo and /reset take back what was told, and a transcript for people says what the cache saved")
{
    const Events list = events(typing("One day\nno\n/undo\nTom\n/reset\nOne day\n", "--json"));
    REQUIRE(list.size() == 7);
    CHECK(list[2]["event"] == "undo");
    CHECK(list[2]["length"] == list[0]["length"]);
    CHECK(list[2]["live_bytes"] == list[0]["live_bytes"]);
    CHECK(list[2]["recomputed_tokens"] == 0);
    CHECK(list[3]["past_length"] == list[0]["length"]);
    CHECK(list[4]["event"] == "reset");
    CHECK(list[5]["tokens"] == list[0]["tokens"]);

    const Ran text = typing("One day\n/undo\n/help\nOne day\n\n/quit\nnever said\n");
    CHECK(text.exit_code == 0);
    CHECK(text.err.empty());
    for (const char* part : {"> One day\n", "undone: ", "0 computed again", "times the dialogue", "/reset"})
        CHECK_THAT(text.out, containing(part));
    CHECK(text.out.find("never said") == std::string::npos);
}

TEST_CASE("odd input: nothing at all, carriage returns, bytes that are no UTF-8, a line without its end")
{
    const Ran nothing = typing("");
    CHECK((nothing.exit_code == 0 && nothing.out.empty() && nothing.err.empty()));
    CHECK(tokens(events(typing("Tom\r\n", "--json"))) == tokens(events(typing("Tom", "--json"))));
    const Ran bytes = typing(std::string("\xff\xfe\x00 \xc3", 5) + "\n", "--json");
    REQUIRE(bytes.exit_code == 0);
    CHECK(events(bytes)[0]["prompt_tokens"].get<int>() >= 6); // begin, and at least one for each byte
}

TEST_CASE("what a script gets wrong ends it with one line and exit code 2, and the turns before it are told")
{
    for (const std::string lines : {"/undo\n", "/fork\n", "/\n"}) CHECK(is_refusal(typing(lines)));
    const Ran full = typing(std::string(60, '\n'), "--json --steps 40");
    CHECK(full.exit_code == 2);
    CHECK(std::ranges::count(full.err, '\n') == 1);
    CHECK_THAT(full.err, containing("512"));
    const Events list = events(full);
    REQUIRE(list.size() > 3);
    CHECK_THAT(full.err, containing("/undo"));
    CHECK_THAT(full.err, containing("/reset"));
    CHECK(list[list.size() - 2]["length"] == 512);
    CHECK(list[list.size() - 2]["ended_by"] == "context");
    CHECK(list.back()["event"] == "end");
    CHECK(list.back()["turns"] == list.size() - 1);
    const Ran ring =
        typing(std::string(20, '\n'), "--json --steps 40 --cache ring --window 60 --sinks 4 --positions in-cache");
    CHECK(ring.exit_code == 0);
    CHECK(events(ring).back()["turns"] == 20);
}

TEST_CASE("a line without an end is refused before it fills the memory, and the turns before it are summed")
{
    std::string lines = "One day\n";
    lines.append((1 << 20) + 1, 'a');
    const Ran ran = typing(lines, "--json");
    CHECK(ran.exit_code == 2);
    CHECK_THAT(ran.err, containing("1048576 bytes"));
    CHECK(std::ranges::count(ran.err, '\n') == 1);
    CHECK(events(ran).back()["turns"] == 1);
}

TEST_CASE("a standard input that cannot be read, a folder or none at all, is one line and exit code 2")
{
    for (const char* from : {"/", ""})
        for (const char* options : {"", "--json"}) {
            const Ran ran = headroom_program_reading(from, chat(options));
            INFO("from '" << from << "' " << options << ": " << ran.out << ran.err);
            CHECK(ran.exit_code == 2);
            CHECK(ran.err == "headroom: cannot read the standard input\n");
        }
}
