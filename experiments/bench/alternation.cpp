#include "experiments/bench/alternation.h"

#include "experiments/bench/instructions.h"
#include <algorithm>
#include <chrono>
#include <limits>

namespace headroom {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

} // namespace

Launch timed(std::function<void(int)> work)
{
    return [work = std::move(work)](int launch) {
        const auto begin = Clock::now();
        work(launch);
        return since(begin);
    };
}

std::vector<Turns> take_turns(std::span<const Launch> subjects, const Alternation& how)
{
    std::vector<int> launches(subjects.size());
    for (std::size_t n = 0; n < subjects.size(); ++n) // memory appears, threads start
        while (launches[n] < how.warm_up) subjects[n](launches[n]++);

    const InstructionCounter counter;
    std::vector<double> instructions(subjects.size());
    std::vector<Turns> turns(subjects.size());
    for (int round = 0; round < how.rounds; ++round)
        for (std::size_t n = 0; n < subjects.size(); ++n) {
            std::vector<double> times;
            const double before = counter.count();
            for (const auto begin = Clock::now();
                 static_cast<int>(times.size()) < how.launches || since(begin) < how.block_ms;)
                times.push_back(subjects[n](launches[n]++));
            instructions[n] += counter.count() - before;
            turns[n].blocks.push_back(median(times));
            turns[n].all.insert(turns[n].all.end(), times.begin(), times.end());
        }
    for (std::size_t n = 0; n < subjects.size() && counter.why_not().empty(); ++n)
        turns[n].instructions = instructions[n] / static_cast<double>(turns[n].all.size());
    return turns;
}

double median(std::vector<double> list)
{
    if (list.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(list);
    const std::size_t n = list.size();
    return (list[(n - 1) / 2] + list[n / 2]) / 2;
}

double median_ratio(std::span<const double> above, std::span<const double> below)
{
    std::vector<double> ratios;
    for (std::size_t n = 0; n < std::min(above.size(), below.size()); ++n) ratios.push_back(above[n] / below[n]);
    return median(std::move(ratios));
}

Timing timing(const Turns& subject, const Turns& limit)
{
    return {.median = median(subject.all),
            .least = std::ranges::min(subject.all),
            .most = std::ranges::max(subject.all),
            .limit = median(limit.all),
            .fraction = median_ratio(limit.blocks, subject.blocks),
            .blocks = subject.blocks,
            .instructions = subject.instructions};
}

Timing alternate(const std::function<void(int)>& subject, const Launch& limit, const Alternation& how)
{
    const Launch both[]{limit, timed(subject)};
    const std::vector<Turns> turns = take_turns(both, how);
    return timing(turns[1], turns[0]);
}

} // namespace headroom
