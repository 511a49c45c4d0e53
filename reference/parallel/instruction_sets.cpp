#include "reference/parallel/instruction_sets.h"

#include <stdexcept>
#include <string>

namespace headroom::parallel {

#if defined(__x86_64__)
extern const Kernels avx512_kernels, avx2_kernels;
#endif
extern const Kernels plain_kernels;

namespace {

std::vector<const Kernels*> find_available()
{
    std::vector<const Kernels*> list;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); // F16C came before both
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        list.push_back(&avx512_kernels);
    if (avx2) list.push_back(&avx2_kernels);
#endif
    list.push_back(&plain_kernels);
    return list;
}

const std::vector<const Kernels*>& available()
{
    static const std::vector<const Kernels*> list = find_available();
    return list;
}

} // namespace

std::vector<std::string_view> instruction_sets()
{
    std::vector<std::string_view> names;
    for (const Kernels* each : available()) names.emplace_back(each->name);
    return names;
}

const Kernels& kernels(std::string_view instruction_set)
{
    std::string known;
    for (const Kernels* each : available()) {
        if (instruction_set.empty() || instruction_set == each->name) return *each;
        known += (known.empty() ? "" : ", ") + std::string(each->name);
    }
    throw std::invalid_argument("this machine has no instruction set '" + std::string(instruction_set) + "'; it has " +
                                known);
}

} // namespace headroom::parallel
