// A model's file, whatever its format: llama2.c's, or safetensors as models/README.md describes it (the names of
// Hugging Face's Llama; RoPE turns neighbouring pairs; the sizes as JSON under the metadata key "headroom.decoder").
#pragma once
#include "reference/decoder/decoder.h"
#include "reference/tensor/safetensors.h"

namespace headroom {

enum class CheckpointFormat : std::uint8_t { llama2c_0, llama2c_1, safetensors };

struct Checkpoint {
    Decoder decoder;
    CheckpointFormat format;
};
Checkpoint read_checkpoint(const std::filesystem::path& path); // throws std::invalid_argument with one line

// Whole or not at all. `as` is the form of another file of the same kind, llama2.c or safetensors.
void write_checkpoint(const std::filesystem::path& path, const Decoder& model, CheckpointFormat as);

Decoder decoder_from(const NamedTensors& file);
NamedTensors safetensors_from(const Decoder& model);

} // namespace headroom
