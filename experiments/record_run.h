// A model's run, recorded: every stage of one layer, the counters of all. Several models see the same tokens, in lockstep.
#pragma once
#include "experiments/models.h"
#include "reference/decoder/backend.h"
#include "reference/recording/recording.h"

namespace headroom {

struct RecordRunSettings {
    std::vector<std::string> models = {"mha", "gqa", "mqa"}; // names or files; the first one chooses the tokens
    std::string tokenizer = {}, text = "Once upon a time";
    Index steps = 18, layer = 0; // decoded tokens; the layer whose stages are kept
    std::string cache = "preallocated";
    CacheOptions options = {.max_length = 0}; // 0: as many as the run needs
    DType kv_type = DType::f32;
};
Recording record_run(const RecordRunSettings& settings, const Backend& backend); // throws std::invalid_argument

} // namespace headroom
