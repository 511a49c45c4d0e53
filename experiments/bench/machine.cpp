#include "experiments/bench/machine.h"

#include "reference/parallel/instruction_sets.h"
#include "reference/parallel/thread_pool.h"
#include <algorithm>
#include <chrono>
#include <fstream>
#include <sys/resource.h>
#include <thread>

namespace headroom {
namespace {

template <class Work> double milliseconds(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// The value behind "name :" in one of Linux's text files; empty: not there.
std::string field(const char* file, const std::string& name)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name))
            if (const auto colon = line.find(':'); colon != std::string::npos)
                return line.substr(line.find_first_not_of(" \t", colon + 1));
    return {};
}

Index last_level_cache()
{
    Index largest = 0;
    for (int level = 0; level < 5; ++level) {
        std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(level) + "/size");
        Index kilobytes = 0; // "307200K"
        if (file >> kilobytes) largest = std::max(largest, kilobytes * 1024);
    }
    return largest;
}

} // namespace

Machine machine(int threads)
{
    Machine m;
    m.cpu = field("/proc/cpuinfo", "model name");
    m.instruction_set = parallel::kernels().name;
    m.cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    m.threads = parallel::thread_pool(threads).threads();
    m.last_level_cache_bytes = last_level_cache();
    return m;
}

Index peak_memory_bytes()
{
    if (const std::string peak = field("/proc/self/status", "VmHWM"); !peak.empty()) return std::stoll(peak) * 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * Index{1024};
}

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

double read_ms(std::span<const std::span<const std::byte>> pieces, int threads)
{
    parallel::ThreadPool& pool = parallel::thread_pool(threads);
    const Index parts = pool.threads() == 1 ? 1 : pool.threads() * Index{4};
    const auto read = parallel::kernels().read;
    std::vector<float> kept(static_cast<std::size_t>(parts)); // or nothing would need to be read
    return milliseconds([&] {
        pool.run(parts, [&](Index part, int) {
            for (const std::span<const std::byte> piece : pieces) {
                const auto size = static_cast<Index>(piece.size()), from = size * part / parts / 64 * 64;
                const Index to = part + 1 == parts ? size : size * (part + 1) / parts / 64 * 64;
                kept[static_cast<std::size_t>(part)] += read(piece.data() + from, to - from);
            }
        });
    });
}

double arithmetic_ms(double flops, int threads)
{
    parallel::ThreadPool& pool = parallel::thread_pool(threads);
    const parallel::Kernels& kernels = parallel::kernels();
    const Index parts = pool.threads() == 1 ? 1 : pool.threads() * Index{8};
    const double per_repetition = 2.0 * 24 * static_cast<double>(kernels.lanes);
    const auto repetitions = static_cast<Index>(flops / per_repetition / static_cast<double>(parts)) + 1;
    std::vector<float> kept(static_cast<std::size_t>(parts));
    return milliseconds([&] {
        pool.run(parts,
                 [&](Index part, int) { kept[static_cast<std::size_t>(part)] = kernels.multiply_add(repetitions); });
    });
}

} // namespace headroom
