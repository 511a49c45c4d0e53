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

// A file (llama2.c or safetensors) or the name of a built-in model; empty: the default one, gqa. The tokenizer's file may
// be left out where a tokenizer.bin lies beside the checkpoint. Throws std::invalid_argument.
Model load_model(const std::string& model, const std::string& tokenizer);

// The tokenizer of a model that was read from `checkpoint`; `file` may be empty as above.
Tokenizer tokenizer_of(const std::filesystem::path& checkpoint, const Decoder& decoder, const std::string& file);

// A model that comes with the program: mha, gqa (which is gqa4), mqa, or any other file of models/. They are looked for in
// the folder that HEADROOM_MODELS names and there alone, else beside the program, in share/headroom/models of its
// installation, and in the source tree.
Model builtin_model(const std::string& name);
std::filesystem::path models_folder(); // empty: there is none

} // namespace headroom
