#include "experiments/bench/alternation.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace headroom {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double median(std::vector<double> list)
{
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
    std::nth_element(list.begin(), middle, list.end());
    return *middle;
}

template <class Launch> std::vector<double> block(Launch launch, int launches, double ms)
{
    std::vector<double> times;
    for (const auto begin = Clock::now(); static_cast<int>(times.size()) < launches || since(begin) < ms;)
        times.push_back(launch());
    return times;
}

} // namespace

Timing alternate(const std::function<void(int)>& subject, const std::function<double(int)>& limit,
                 const Alternation& how)
{
    int launches = 0, limits = 0;
    const auto timed = [&] {
        const auto begin = Clock::now();
        subject(launches++);
        return since(begin);
    };
    for (int n = 0; n < how.warm_up; ++n) timed(); // memory appears, threads start
    limit(limits++);

    std::vector<double> all, all_limits, fractions;
    for (int round = 0; round < how.rounds; ++round) {
        const std::vector<double> best = block([&] { return limit(limits++); }, how.launches, how.block_ms / 2);
        const std::vector<double> ours = block(timed, how.launches, how.block_ms);
        fractions.push_back(median(best) / median(ours));
        all.insert(all.end(), ours.begin(), ours.end());
        all_limits.insert(all_limits.end(), best.begin(), best.end());
    }
    return {median(all), std::ranges::min(all), std::ranges::max(all), median(all_limits), median(fractions)};
}

} // namespace headroom
