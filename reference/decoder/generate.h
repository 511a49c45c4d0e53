// Text generation: the prompts in one or several chunks, then one token per sequence and step, and what each step did.
#pragma once
#include "reference/decoder/decoder.h"
#include <optional>

namespace headroom {

struct CacheChoice {
    std::string kind = "growing"; // one of cache_kinds()
    DType type = DType::f32;
    CacheOptions options = {};
    Scaling scaling = Scaling::none;       // of 8-bit types; none: the usual one
    std::vector<StaticScales> scales = {}; // [layers], for the static scalings: calibration.h
};
std::unique_ptr<KvCache> make_cache(const DecoderConfig& config, Index sequences, const CacheChoice& choice);

struct GenerationSettings {
    Index steps = 64;                                 // new tokens per sequence
    Index chunk = 0;                                  // prompt tokens per pass; 0: all at once
    std::optional<CacheChoice> cache = CacheChoice{}; // none: every pass computes all tokens again
    DType recomputed_type = DType::f32;               // without a cache: what K and V are rounded to
    double temperature = 0, top_p = 1;
    std::uint64_t seed = 1;
    bool stop_at_end = false; // a sequence that has made EOS rests
    std::function<void(std::size_t sequence, int token)> on_token = {};
};

struct GenerationStep { // one pass through the model
    bool prefill = false;
    Index new_tokens = 0, past_length = 0, length = 0;  // of the longest sequence; length = past + new
    Shape q_shape = {}, new_k_shape = {}, k_shape = {}; // seen in a layer: [B, H, L, D], [B, Hkv, L, D], [B, Hkv, S, D]
    KvCounters bytes = {};                              // after the step; `copied` is this step's
    Work work = {};                                     // counted in this step
    double ms = 0;
};
struct Generation {
    std::vector<std::vector<int>> tokens; // [B]: the prompt's, then the new ones
    std::vector<GenerationStep> steps;    // one per chunk of the prompt, then steps - 1
};

// Throws std::invalid_argument where the model's context is too short for so many tokens of a sequence; with in-cache
// positions it must hold the cache, and the text may have any length.
void require_context(const Decoder& model, const GenerationSettings& settings, Index tokens, const std::string& what);

// Prompts begin with BOS and may differ in length. Throws before it computes anything where the model's context is too
// short for prompt + steps - 1 tokens.
Generation generate(const Decoder& model, std::vector<std::vector<int>> prompts, const GenerationSettings& settings,
                    const Backend& backend);

} // namespace headroom
