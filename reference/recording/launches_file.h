// One traced launch in a recording's file: its part of the manifest, and its tables.
#pragma once
#include "reference/recording/kernels.h"
#include <nlohmann/json_fwd.hpp>

namespace headroom {

struct NamedTensors;

// `at` begins the names of its tensors: "kernel0000/launch0/".
nlohmann::ordered_json write_launch(const KernelTrace& launch, const std::string& at, NamedTensors& into);
KernelTrace read_launch(const nlohmann::ordered_json& json, const std::string& at, NamedTensors& from);

} // namespace headroom
