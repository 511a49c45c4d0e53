// The models that commands run: checkpoint files, or the ones that come with the program.
#pragma once
#include "reference/decoder/decoder.h"
#include "reference/decoder/tokenizer.h"

namespace headroom {

struct Model {
    std::string name; // "gqa", or the checkpoint's path
    Decoder decoder;
    Tokenizer tokenizer;
};

// A file (llama2.c or safetensors) or the name of a built-in model; empty: the default one. The tokenizer's file may be
// left out where a tokenizer.bin lies beside the checkpoint. Throws std::invalid_argument.
Model load_model(const std::string& model, const std::string& tokenizer);

} // namespace headroom
