// Recordings with random numbers everywhere, so that no constant on screen can pass for one of them.
#pragma once
#include "reference/recording/recording.h"

namespace headroom {

Recording random_recording(std::uint64_t seed); // something for every scene

// A decode step of a kernel that never was: `blocks` blocks share the keys, each lane reads 16 bytes.
TracedStep random_kernel(std::uint64_t seed, Index blocks);

// One answer of random shape beside the right one; `spoilt`: the stage from which on it lies beyond its bound.
RecordedCheck random_check(std::uint64_t seed, const std::string& spoilt);

} // namespace headroom
