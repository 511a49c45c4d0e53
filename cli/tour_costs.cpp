// Pages 5 to 8: the same text through every cache and without one: bytes, multiply-adds, time.
#include "cli/tour_pages.h"

#include "cli/text.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

void show_caches(const Tour& tour, const Terminal& out)
{
    fmt::print("{}", out.heading(5, "The same text through every cache"));
    const auto row = [](const std::string& name, const std::array<std::string, 5>& columns, const std::string& text) {
        std::string line = pad_right(name, 13);
        for (const std::string& column : columns) line += pad_left(column, 11);
        return line + "  " + text;
    };
    fmt::print("  {}\n", out.dim(row("", {"live", "reserved", "peak", "copied", "allocs"}, "text")));
    for (const RaceLane& lane : tour.race) {
        if (lane.name == "none") continue;
        const KvCounters& end = lane.run.steps.back().bytes;
        fmt::print("  {}\n", row(out.accent(lane.name),
                                 {bytes_text(end.live), bytes_text(end.reserved), bytes_text(end.peak),
                                  bytes_text(lane.copied), count_text(end.allocations)},
                                 lane.same_text ? "same" : "own"));
    }
    fmt::print("\n  Old tokens copied, step by step:\n");
    for (const RaceLane& lane : tour.race) {
        if (lane.name == "none") continue;
        std::vector<double> copied;
        for (const GenerationStep& step : lane.run.steps) copied.push_back(static_cast<double>(step.bytes.copied));
        fmt::print("  {} {}\n", pad_right(lane.name, 12), out.accent(spark(copied, 62)));
    }
    fmt::print("\n");
    out.say("live: visible now; reserved: allocated now; peak: old and new together.");
    out.say("concat copies everything at each step; growing copies now and then (here it");
    out.say(fmt::format("begins with {} slots); preallocated and paged never. ring keeps {} + {}", tour.cache.initial,
                        tour.cache.sinks, tour.cache.window));
    out.say("tokens and forgets the rest: its bytes stay, and its text may differ.");
}

void show_work(const Tour& tour, const Terminal& out)
{
    const RaceLane &with = tour.lane("preallocated"), &without = tour.lane("none");
    fmt::print("{}", out.heading(6, "With and without a cache"));
    fmt::print("  {}\n", out.dim("multiply-adds      with a cache   computing all again"));
    const std::size_t n = with.run.steps.size();
    const double most = static_cast<double>(without.run.steps.back().work.total());
    std::vector<std::size_t> shown{0, 1, n / 4, n / 2, n - 1};
    std::ranges::sort(shown);
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    for (const std::size_t i : shown) {
        const Index a = with.run.steps[i].work.total(), b = without.run.steps[i].work.total();
        fmt::print("  {} {} {}   {}\n",
                   pad_right(i == 0 ? "prompt" : fmt::format("N = {}", with.run.steps[i].length), 10),
                   pad_left(count_text(a), 20), pad_left(count_text(b), 21),
                   out.accent(bar(static_cast<double>(b), most, 20)));
    }
    fmt::print("  {} {} {}\n\n", pad_right("in all", 10), pad_left(count_text(with.work.total()), 20),
               pad_left(count_text(without.work.total()), 21));
    fmt::print("  The cache saves {} of the multiply-adds; the text is {}.\n\n",
               out.strong(fmt::format("{:.1f} %", 100 * (1 - static_cast<double>(with.work.total()) /
                                                                 static_cast<double>(without.work.total())))),
               with.run.tokens == without.run.tokens ? "the same" : "NOT the same");
    out.say("Without a cache each step computes the rows of all earlier tokens again:");
    out.say("their projections, scores and feed-forward. The cache keeps their K and V.");
}

void show_times(const Tour& tour, const Terminal& out)
{
    const RaceLane &with = tour.lane("preallocated"), &without = tour.lane("none");
    const auto row = [&](const std::string& name, std::size_t tokens, double ms) {
        fmt::print("  {} {} {} {}\n", pad_right(name, 26), pad_left(std::to_string(tokens), 7),
                   pad_left(fmt::format("{:.1f}", ms), 11),
                   pad_left(tokens ? fmt::format("{:.2f}", ms / static_cast<double>(tokens)) : "", 15));
    };
    fmt::print("{}", out.heading(7, "Where the time goes"));
    fmt::print("  {}\n", out.dim("phase                       tokens          ms    ms per token"));
    row("prefill", tour.prompt.size(), with.prefill_ms);
    row("decode, cache", with.run.steps.size() - 1, with.decode_ms);
    row("decode, computing again", without.run.steps.size() - 1, without.decode_ms);
    fmt::print("\n");
    out.say("This is the reference: double precision, one core, written to be read.");
}

void show_text(const Tour& tour, const Terminal& out)
{
    fmt::print("{}", out.heading(8, "And this is what it wrote"));
    fmt::print("{}", wrapped(printable(tour.model.tokenizer.decode(tour.lane("preallocated").run.tokens.front())), "  ",
                             "  ", 74));
}

} // namespace headroom
