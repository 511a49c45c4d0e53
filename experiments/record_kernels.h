// Steps of the ladder under the tracer: what the Kernel scene shows. They run in a program of their own, headroom-traced,
// which lies beside this one.
#pragma once
#include "reference/recording/recording.h"

namespace headroom {

struct RecordKernelsSettings {
    std::string implementations = "decode/0[1346]_*"; // a glob: naive, group sharing, split keys, asynchronous ring
    Index q_heads = 8, kv_heads = 2, keys = 256, head_dim = 64;
    std::string kv_type = "auto"; // the first that a step takes; steps that do not take it are left out
    std::uint64_t seed = 1;
};
// Throws std::runtime_error if the program is not there or fails, with what it said.
std::vector<TracedStep> record_kernels(const RecordKernelsSettings& settings);

} // namespace headroom
