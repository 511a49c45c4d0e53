// Models for the Memory scene: published ones, and any config.json.
#pragma once
#include "reference/recording/recording.h"

namespace headroom {

std::vector<RecordedModel> known_models();                         // the lines of known_models.inc
RecordedModel recorded_model(const std::filesystem::path& config); // throws std::invalid_argument with file and reason

} // namespace headroom
