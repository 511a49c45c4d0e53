// Every implementation on every case, against the double reference.
#pragma once
#include "reference/contract/options.h"
#include "reference/verification/check.h"
#include <filesystem>
#include <functional>

namespace headroom {

struct VerificationSettings {
    std::string implementations = "*"; // a glob over their names
    std::string executor = "auto";     // for kernels: auto (all three), device, simt, ptx
    bool quick = false;                // the short list of cases
    std::string case_prefix;           // only cases whose names begin so
    std::filesystem::path problem;     // this problem file instead of the cases
    AttentionOptions options;          // of the problem file
    std::filesystem::path outputs;     // somebody's answer to the problem file, instead of implementations
    std::filesystem::path plugin;      // a user's kernel (cuda/plugin.h) instead of implementations
    int plugin_seconds = 60;           // what takes longer has failed; 0: never
    std::function<void(std::size_t done, std::size_t all, const std::string& what)> progress;
    // Sees every result with the answer behind it, e.g. to record them.
    std::function<void(const CheckResult&, const AttentionProblem&, const AttentionStages& got, const Expected&)> keep;
};

// Throws std::invalid_argument on settings that make no sense, among them a glob that matches nothing.
std::vector<CheckResult> verify(const VerificationSettings& settings);

} // namespace headroom
