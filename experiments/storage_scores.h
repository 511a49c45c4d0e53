// What each storage type costs a model: how well it still predicts a text when its cache holds K and V in that type.
#pragma once
#include "experiments/storage_error.h"
#include "reference/decoder/score.h"

namespace headroom {

struct StorageScore {
    StorageError error; // of standard normal numbers in the model's geometry
    Score score;
};

// Every storage_choice(); the static scalings only where there is a text to take their scales from, and keys are stored as
// RoPE has turned them.
std::vector<StorageScore> storage_scores(const Decoder& model, std::span<const int> tokens,
                                         std::span<const int> calibration, const GenerationSettings& settings,
                                         const Backend& backend);

} // namespace headroom
