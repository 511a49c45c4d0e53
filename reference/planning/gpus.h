// Memory and bandwidth: a table of GPUs, and sizes as people write them. GB is 10^9 bytes, GiB is 2^30, never mixed.
#pragma once
#include "reference/tensor/tensor.h"
#include <span>
#include <string>
#include <string_view>

namespace headroom {

struct Gpu {
    std::string_view name;
    Index memory_bytes; // the data sheet's GB, 10^9 each; what the driver reports is often a little more
    Index bandwidth;    // bytes per second
    std::string_view source;
};
std::span<const Gpu> gpus();
const Gpu& gpu(std::string_view name); // any case; throws std::invalid_argument listing the names

struct Memory {
    Index bytes = 0;
    std::string text; // as it was given: "24GiB", "80 GB (h100)"
};
Memory parse_memory(const std::string& text);   // "24GiB", "80GB", "81559MiB"; the unit is required
Index parse_bandwidth(const std::string& text); // "3.35TB/s", "864GB/s"
std::string size_text(Index bytes);             // "1.00 GiB", "128 KiB", "17 B"

} // namespace headroom
