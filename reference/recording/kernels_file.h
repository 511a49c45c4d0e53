// Kernels in a recording's file: their part of the manifest and their tensors.
#pragma once
#include "reference/recording/kernels.h"
#include <nlohmann/json_fwd.hpp>

namespace headroom {

struct NamedTensors;

nlohmann::ordered_json write_kernels(const std::vector<TracedStep>& kernels, NamedTensors& into);
std::vector<TracedStep> read_kernels(const nlohmann::ordered_json& list, NamedTensors& from);

} // namespace headroom
