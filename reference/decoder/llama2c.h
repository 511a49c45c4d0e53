// Checkpoints of karpathy/llama2.c, both forms of its header. Everything is little-endian; matrices are [out, in].
//
//     version 0   int32 width, hidden, layers, q_heads, kv_heads, vocabulary, max_length; a negative vocabulary says that
//                 a classifier of its own follows. Then f32: embedding, and for all layers each of attention norm, wq, wk,
//                 wv, wo, ffn norm, w1 (gate), w2 (down), w3 (up); final norm, cos and sin tables, classifier
//     version 1   "ak42" as int32, int32 1, the same seven sizes, one byte: shared classifier; 256 bytes in all. Then f32:
//                 attention norms, ffn norms, final norm, embedding, wq ... w3 as above, classifier
#pragma once
#include "reference/decoder/decoder.h"
#include <filesystem>

namespace headroom {

// Throw std::invalid_argument with one line that says what is wrong; a file must have exactly the size its header implies.
Decoder parse_llama2c(std::span<const std::byte> file);
Decoder read_llama2c(const std::filesystem::path& path);

std::vector<std::byte> llama2c_file(const Decoder& model, int version);

} // namespace headroom
