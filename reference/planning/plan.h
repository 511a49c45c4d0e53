// The whole answer for one config.json: what its cache costs, what fits, how fast decoding can be at most.
#pragma once
#include "reference/planning/gpus.h"
#include "reference/planning/kv_bytes.h"
#include "reference/planning/parameters.h"
#include <optional>

namespace headroom {

struct PlanSettings {
    KvSettings cache;
    std::optional<Index> context; // tokens; else the model's own, else 4096
    Index batch = 1;
    std::string weight_dtype;           // "" : as the file says
    std::optional<Index> weight_bytes;  // known otherwise
    std::optional<Memory> memory;       // of one GPU
    std::optional<Index> reserve_bytes; // kept free for activations and the engine; else a tenth of the memory
    std::optional<Index> bandwidth;     // bytes per second
};

struct Fit { // of one rank
    Index memory_bytes = 0, reserve_bytes = 0, weight_bytes = 0;
    Index room_bytes = 0;                 // for the cache; negative: the weights alone do not fit
    std::optional<Index> longest_context; // with the batch asked for; empty: unlimited, the cache stops growing
    std::optional<Index> largest_batch;   // at the context asked for; empty: unlimited, there is no cache
};

struct Roofline { // of one decode step, all sequences of the batch; of one rank
    Index bandwidth = 0, weight_bytes_read = 0, kv_bytes_read = 0;
    double step_ms = 0, tokens_per_second = 0; // bounds: reading alone
};

struct Weights {
    std::optional<Index> parameters, active, bytes;
    std::string dtype, parameters_reason, bytes_reason;
};

Weights weigh(const Parameters& counted, const PlanSettings& settings);

struct Plan {
    Geometry geometry;
    PlanSettings settings;
    Index context = 0;

    // Of the whole model; the per-rank numbers are one GPU's part of it under tensor parallelism.
    Index bytes_per_token = 0, bytes_per_token_beyond_window = 0, bytes_per_token_beyond_chunk = 0;
    Index bytes_per_token_expanded = 0, source_token_bytes = 0, fixed_bytes_per_sequence = 0;
    Index kv_bytes = 0;
    Index bytes_per_token_per_rank = 0, kv_bytes_per_rank = 0;

    // What kv_bytes is compared with; empty beyond 2^63 - 1.
    Index mha_bytes_per_token = 0, mqa_bytes_per_token = 0;
    std::optional<Index> kv_bytes_not_evicting, kv_bytes_evicting_chunks, mha_kv_bytes, mqa_kv_bytes;

    Weights weights;
    std::optional<Fit> fit;
    std::string fit_reason; // why not, where memory was given
    std::optional<Roofline> roofline;
    std::string roofline_reason;
    std::vector<std::string> derivation;
};

// Throws std::invalid_argument with file and reason, std::overflow_error beyond 2^63 - 1 bytes.
Plan make_plan(const std::filesystem::path& config, const PlanSettings& settings);

} // namespace headroom
