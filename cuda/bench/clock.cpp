#include "cuda/bench/clock.h"

#include "cuda/executor/device/device_executor.h"
#include <algorithm>
#include <chrono>

namespace headroom::cuda {

double milliseconds(Executor& executor, const std::function<void()>& launches)
{
    if (auto* gpu = dynamic_cast<DeviceExecutor*>(&executor)) return gpu->milliseconds(launches);
    const auto begin = std::chrono::steady_clock::now();
    launches();
    executor.finish();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double microseconds_each(Executor& executor, int launches, int samples, const std::function<void(int)>& launch)
{
    const double first = milliseconds(executor, [&] { launch(0); });
    if (first > 200) return 1000 * first;
    const auto sample = [&] {
        return 1000 / static_cast<double>(launches) * milliseconds(executor, [&] {
                   for (int n = 0; n < launches; ++n) launch(n);
               });
    };
    for (int n = 0; n < 3; ++n) sample();
    std::vector<double> times;
    for (int n = 0; n < samples; ++n) times.push_back(sample());
    std::ranges::nth_element(times, times.begin() + samples / 2);
    return times[static_cast<std::size_t>(samples / 2)];
}

Where where(Executor& executor)
{
    const auto* gpu = dynamic_cast<DeviceExecutor*>(&executor);
    if (!gpu) return {"simt", "none"};
    return {"device", gpu->device_name(), gpu->attribute(device::capability_major),
            gpu->attribute(device::capability_minor), gpu->attribute(device::multiprocessors)};
}

} // namespace headroom::cuda
