// Memory and bandwidth: a table of GPUs, and sizes as people write them. GB is 10^9 bytes, GiB is 2^30, never mixed.
#pragma once
#include "reference/tensor/tensor.h"
#include <span>
#include <string>
#include <string_view>

namespace headroom {

struct Gpu {
    std::string_view name;
    // The maker's GB, 10^9 bytes each. Drivers report more, so plans stay on the safe side: 81559 MiB = 85.5 GB of an
    // H100's 80, 143771 MiB = 150.8 GB of an H200's 141, 46068 MiB = 48.3 GB of an L40S's 48.
    Index memory_bytes;
    Index bandwidth; // bytes per second
    std::string_view source;
};
std::span<const Gpu> gpus();
const Gpu& gpu(std::string_view name); // "h100", "RTX 4090", "NVIDIA A100-SXM4-80GB"; throws
                                       // std::invalid_argument listing the names

struct Memory {
    Index bytes = 0;
    std::string text; // as it was given: "24GiB", "80 GB (h100)"
};
Memory parse_memory(const std::string& text);   // "24GiB", "80GB", "81559MiB"; the unit is required
Index parse_bandwidth(const std::string& text); // "3.35TB/s", "864GB/s"
std::string size_text(Index bytes);             // "1.00 GiB", "128 KiB", "17 B"

} // namespace headroom
