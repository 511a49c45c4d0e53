// Finds the object of a config.json that describes the text decoder.
#pragma once
#include "reference/planning/config_part.h"

namespace headroom {

// The file itself, or the nested object that multimodal models keep for their language model.
ConfigPart text_part(const nlohmann::json& file);

} // namespace headroom
