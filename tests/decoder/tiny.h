// A decoder small enough to be run hundreds of times in a test.
#pragma once
#include "reference/decoder/decoder.h"

namespace headroom {

inline constexpr DecoderConfig tiny_config{.width = 16,
                                           .layers = 2,
                                           .q_heads = 4,
                                           .kv_heads = 2,
                                           .head_dim = 4,
                                           .hidden = 24,
                                           .vocabulary = 40,
                                           .max_length = 64};
Decoder tiny_decoder(bool shared_classifier = false);

// The logits behind every token of one sequence: all at once and without a cache; or in passes of `chunk`.
using Logits = std::vector<std::vector<double>>;
Logits logits_without_cache(const Decoder& model, const std::vector<int>& tokens, DType type = DType::f32,
                            AttentionOptions options = {});
Logits logits_in_chunks(const Decoder& model, const std::vector<int>& tokens, Index chunk, KvCache& cache,
                        AttentionOptions options = {});

} // namespace headroom
