// Times subjects in turns, block by block: on a machine that is shared, memory may be three times as fast a second later,
// so that only what is measured next to each other can be compared.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace headroom {

struct Alternation {
    int rounds = 8;        // each is one block of every subject
    double block_ms = 100; // at least `launches`, however long they take
    int launches = 3;
    int warm_up = 2; // launches before the first round
};

// Does it once and returns the ms that it took; the number of the launch lets it take another buffer each time.
using Launch = std::function<double(int launch)>;
Launch timed(std::function<void(int launch)> work);

struct Turns {                          // of one subject
    std::vector<double> all;            // ms of each launch
    std::vector<double> blocks;         // ms, the median of each block; those of one round stand side by side in time
    std::optional<double> instructions; // of one launch, the mean; not where InstructionCounter cannot count
};
std::vector<Turns> take_turns(std::span<const Launch> subjects, const Alternation& how);

double median(std::vector<double> list);
double median_ratio(std::span<const double> above, std::span<const double> below); // the median of the pairs' ratios

struct Timing {
    double median = 0, least = 0, most = 0; // of all launches, in ms
    double limit = 0;                       // median of the limit, in ms
    double fraction = 0;                    // median over the rounds of limit / subject
    std::vector<double> blocks = {};        // of the subject, as in Turns
    std::optional<double> instructions = {};
};
Timing timing(const Turns& subject, const Turns& limit);

// `limit` returns the ms of what the machine at its best would take; `subject` is timed from outside.
Timing alternate(const std::function<void(int launch)>& subject, const Launch& limit, const Alternation& how);

} // namespace headroom
