// What a config.json says about a model: the geometry of its cache and the number of its weights.
#pragma once
#include "reference/planning/geometry.h"
#include "reference/planning/parameters.h"

namespace headroom {

struct ModelFacts {
    Geometry geometry;
    Parameters parameters;
};

// Refuses with file and reason (std::invalid_argument) what cannot be derived; never guesses.
ModelFacts read_model(const std::filesystem::path& config);
ModelFacts model_from_text(const std::string& json); // the same without a name; messages without a file

} // namespace headroom
