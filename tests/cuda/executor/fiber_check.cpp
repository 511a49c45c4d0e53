// Fibers keep their registers, stacks and floating-point state across switches. A program of its own, without a test
// framework, so that it can be built for another processor and run in an emulator.
#include "cuda/executor/simt/stacks.h"

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace headroom::cuda::simt;

namespace {

constexpr int fibers = 5, rounds = 1000;
SwitchKind kind;
Fiber host;
std::vector<Fiber> all;
double results[fibers];
bool misaligned = false;

// Goes round all fibers; each keeps a sum in registers, which the others use as well.
void run(void* argument)
{
    entered_from(host);
    const int n = static_cast<int>(reinterpret_cast<std::intptr_t>(argument));
    alignas(16) volatile char local[16] = {};
    misaligned |= reinterpret_cast<std::uintptr_t>(&local) % 16 != 0;
    double sum = n, factor = 1.0 / (n + 1);
    long count = n;
    for (int i = 0; i < rounds; ++i) {
        sum += factor * i;
        count += i;
        switch_fiber(all[static_cast<std::size_t>(n)], all[static_cast<std::size_t>((n + 1) % fibers)], kind);
    }
    results[n] = sum + static_cast<double>(count);
    switch_fiber(all[static_cast<std::size_t>(n)], n + 1 < fibers ? all[static_cast<std::size_t>(n + 1)] : host, kind,
                 true);
}

int failures(SwitchKind which)
{
    kind = which;
    Stacks stacks;
    stacks.reserve(fibers);
    all.clear();
    all.resize(fibers);
    for (int n = 0; n < fibers; ++n) {
        stacks.assign(all[static_cast<std::size_t>(n)], static_cast<std::size_t>(n));
        prepare(all[static_cast<std::size_t>(n)], run, reinterpret_cast<void*>(static_cast<std::intptr_t>(n)), which);
    }
    switch_fiber(host, all[0], which);
    int wrong = 0;
    for (int n = 0; n < fibers; ++n) {
        double sum = n;
        long count = n;
        for (int i = 0; i < rounds; ++i) {
            sum += 1.0 / (n + 1) * i;
            count += i;
        }
        wrong += !(results[n] == sum + static_cast<double>(count));
    }
    return wrong + misaligned;
}

} // namespace

int main()
{
    const int native = failures(best_switch()), portable = failures(SwitchKind::portable);
    std::printf("%s: %d wrong; portable: %d wrong\n",
                best_switch() == SwitchKind::native ? "native" : "no native switch", native, portable);
    return native + portable;
}
