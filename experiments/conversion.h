// A checkpoint with fewer KV heads, and what that costs: the perplexity of a text before and after.
#pragma once
#include "reference/decoder/checkpoint.h"
#include "reference/decoder/score.h"

namespace headroom {

struct Conversion {
    Decoder converted;
    CheckpointFormat format; // of the file that was read; the new one is written in the same
    Index kv_heads_before = 0, kv_heads_after = 0, weights_before = 0, weights_after = 0;
    Score before = {}, after = {};
};
// `tokenizer` may be empty where a tokenizer.bin lies beside the checkpoint.
Conversion convert_to_kv_heads(const std::filesystem::path& checkpoint, const std::string& tokenizer, Index kv_heads,
                               const std::string& text, const Backend& backend);

} // namespace headroom
