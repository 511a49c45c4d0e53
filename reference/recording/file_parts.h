// The parts of a recording's file: each writes and reads its piece of the manifest and the tensors beside it.
#pragma once
#include "reference/recording/recording.h"
#include "reference/tensor/safetensors.h"
#include <nlohmann/json_fwd.hpp>

namespace headroom::recording_file {

using Json = nlohmann::ordered_json;

Json write_lane(const Lane& lane, NamedTensors& into);
Lane read_lane(const Json& json, const NamedTensors& from); // checks all shapes against the lane's geometry

Json write_check(const RecordedCheck& check, std::size_t number, NamedTensors& into);
RecordedCheck read_check(const Json& json, std::size_t number, const NamedTensors& from);

Json write_model(const RecordedModel& model);
RecordedModel read_model(const Json& json);

// In the smallest type that holds every number exactly; empty tensors are left out.
void keep(const Tensor& tensor, const std::string& name, NamedTensors& into);
Tensor take(const std::string& name, const NamedTensors& from);       // empty: not there
std::string four_digits(std::string_view before, std::size_t number); // "step0003"
[[noreturn]] void refuse(const std::string& why);

} // namespace headroom::recording_file
