#include "experiments/bench/instructions.h"

#include <cstdint>
#include <filesystem>
#include <system_error>
#ifdef __linux__
#include <cerrno>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace headroom {

#ifdef __linux__

InstructionCounter::InstructionCounter()
{
    perf_event_attr what{};
    what.size = sizeof what;
    what.type = PERF_TYPE_HARDWARE;
    what.config = PERF_COUNT_HW_INSTRUCTIONS;
    what.exclude_kernel = 1;
    what.exclude_hv = 1;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        const int id = std::stoi(thread.path().filename().string());
        const auto file = static_cast<int>(::syscall(SYS_perf_event_open, &what, id, -1, -1, 0));
        if (file >= 0) {
            files_.push_back(file);
            continue;
        }
        why_not_ = errno == ENOENT ? "this machine has no counter of instructions"
                   : errno == EACCES || errno == EPERM
                       ? "the system does not permit counting (kernel.perf_event_paranoid)"
                       : "counting instructions failed: " + std::system_category().message(errno);
        return;
    }
}

InstructionCounter::~InstructionCounter()
{
    for (const int file : files_) ::close(file);
}

double InstructionCounter::count() const
{
    double all = 0;
    for (const int file : files_) {
        std::uint64_t one = 0;
        if (::read(file, &one, sizeof one) == sizeof one) all += static_cast<double>(one);
    }
    return why_not_.empty() ? all : 0;
}

#else

InstructionCounter::InstructionCounter() : why_not_("only Linux's counters are read") {}
InstructionCounter::~InstructionCounter() = default;
double InstructionCounter::count() const { return 0; }

#endif

} // namespace headroom
