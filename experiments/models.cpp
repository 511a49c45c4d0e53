#include "experiments/models.h"

#include "reference/decoder/checkpoint.h"
#include "reference/tensor/this_program.h"
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace headroom {
namespace {

namespace fs = std::filesystem;

Model read_model(const fs::path& checkpoint, const std::string& tokenizer)
{
    Decoder decoder = read_checkpoint(checkpoint).decoder;
    Tokenizer words = tokenizer_of(checkpoint, decoder, tokenizer);
    return {checkpoint.string(), std::move(decoder), std::move(words)};
}

} // namespace

Tokenizer tokenizer_of(const fs::path& checkpoint, const Decoder& decoder, const std::string& file)
{
    const fs::path words = file.empty() ? checkpoint.parent_path() / "tokenizer.bin" : fs::path(file);
    if (file.empty() && !fs::exists(words))
        throw std::invalid_argument("no tokenizer.bin lies beside " + checkpoint.string() +
                                    "; name the model's tokenizer with --tokenizer");
    Tokenizer tokenizer = read_tokenizer(words);
    if (tokenizer.size() != decoder.config.vocabulary)
        throw std::invalid_argument(words.string() + " has " + std::to_string(tokenizer.size()) +
                                    " tokens, the model's vocabulary has " + std::to_string(decoder.config.vocabulary));
    return tokenizer;
}

fs::path models_folder()
{
    std::vector<fs::path> candidates;
    std::error_code ignored;
    if (const char* chosen = std::getenv("HEADROOM_MODELS"); chosen && *chosen) {
        if (!fs::exists(fs::path(chosen) / "tokenizer.bin", ignored))
            throw std::invalid_argument("HEADROOM_MODELS is " + std::string(chosen) + ", where no tokenizer.bin is");
        return chosen;
    }
    const fs::path program = this_program().parent_path();
    candidates.push_back(program / "models");
    candidates.push_back(program / ".." / "share" / "headroom" / "models");
    candidates.emplace_back(HEADROOM_SOURCE_MODELS);
    for (const fs::path& folder : candidates)
        if (fs::exists(folder / "tokenizer.bin", ignored)) return folder;
    return {};
}

Model builtin_model(const std::string& name)
{
    const fs::path folder = models_folder();
    if (folder.empty())
        throw std::invalid_argument("no models come with this program; name a checkpoint with --model FILE");
    const fs::path file = folder / ((name == "gqa" ? "gqa4" : name) + ".safetensors"); // 8 query heads on 4 KV heads
    std::error_code ignored;
    if (name.find('/') != std::string::npos || !fs::exists(file, ignored))
        throw std::invalid_argument("no file and no built-in model is called '" + name +
                                    "'; built-in are mha, gqa, mqa" + " and those that 'headroom models' lists");
    Model model = read_model(file, "");
    model.name = name;
    return model;
}

Model load_model(const std::string& model, const std::string& tokenizer)
{
    std::error_code ignored;
    if (!model.empty() && (fs::exists(model, ignored) || !tokenizer.empty())) return read_model(model, tokenizer);
    if (!tokenizer.empty()) throw std::invalid_argument("--tokenizer goes with a checkpoint: name it with --model");
    if (model.find('/') != std::string::npos || model.find('.') != std::string::npos) return read_model(model, "");
    return builtin_model(model.empty() ? "gqa" : model);
}

} // namespace headroom
