// What `headroom bench` measures: attention of well-known shapes, each beside the machine's limit in the same run.
#pragma once
#include "experiments/bench/alternation.h"
#include "experiments/bench/machine.h"
#include "reference/tensor/dtype.h"
#include <optional>

namespace headroom {

struct BenchRow {
    std::string case_name, impl;
    DType type;
    Timing time;
    Index tokens; // that one launch makes (decode) or takes in (prefill)
    Index bytes;  // of keys and values (and weights), each read once
    Index flops;  // multiplications and additions that are needed: a causal prefill's upper half is not
    Index peak_rss_bytes;

    bool impossible() const { return !(time.fraction <= 1.05); } // faster than the machine: an error of measurement
};

struct BenchCase {
    std::string name;
    Index B, H, Hkv, D, L, S;
    std::vector<DType> types;
    bool in_cache = false; // not larger than the last-level cache: a trial, or a shape that is tiny
    bool prefill() const { return L > 1; }
};
const std::vector<BenchCase>& bench_cases();
Index needed_flops(const BenchCase& c);

struct BenchSettings {
    std::string implementation = "parallel";
    std::optional<DType> type; // of keys and values; none: those that each case names
    int threads = 0;
    Alternation alternation;
    std::function<void(const std::string& what)> progress = [](const std::string&) {};
};
std::vector<BenchRow> bench(const BenchCase& which, const BenchSettings& settings);

// Several cases and their limits in the same rounds, so that they can be compared with each other.
std::vector<BenchRow> bench_together(std::span<const BenchCase> cases, DType type, const BenchSettings& settings);

} // namespace headroom
