#include "experiments/models.h"

#include "reference/decoder/checkpoint.h"
#include "reference/decoder/random_decoder.h"
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace headroom {
namespace {

namespace fs = std::filesystem;

Model random_model(const std::string& name, Index kv_heads, Tokenizer tokenizer)
{
    const DecoderConfig config{.width = 128,
                               .layers = 4,
                               .q_heads = 8,
                               .kv_heads = kv_heads,
                               .head_dim = 16,
                               .hidden = 344,
                               .vocabulary = tokenizer.size(),
                               .max_length = 2048};
    return {name, random_decoder(config, 1), std::move(tokenizer)};
}

Model read_model(const fs::path& checkpoint, const std::string& tokenizer)
{
    Decoder decoder = read_checkpoint(checkpoint).decoder;
    Tokenizer words = tokenizer_of(checkpoint, decoder, tokenizer);
    return {checkpoint.string(), std::move(decoder), std::move(words)};
}

fs::path program_folder()
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : program.parent_path();
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
    if (const char* chosen = std::getenv("HEADROOM_MODELS")) candidates.emplace_back(chosen);
    const fs::path program = program_folder();
    candidates.push_back(program / "models");
    candidates.push_back(program / ".." / "share" / "headroom" / "models");
    candidates.emplace_back(HEADROOM_SOURCE_MODELS);
    std::error_code ignored;
    for (const fs::path& folder : candidates)
        if (fs::exists(folder / "tokenizer.bin", ignored)) return folder;
    return {};
}

Model builtin_model(const std::string& name)
{
    const fs::path folder = models_folder();
    const std::string file = name == "gqa" ? "gqa4" : name; // 8 query heads on 4 KV heads
    std::error_code ignored;
    if (!folder.empty() && name.find('/') == std::string::npos &&
        fs::exists(folder / (file + ".safetensors"), ignored)) {
        Model model = read_model(folder / (file + ".safetensors"), "");
        model.name = name;
        return model;
    }
    constexpr std::array<std::pair<std::string_view, Index>, 3> random{{{"mha", 8}, {"gqa", 4}, {"mqa", 1}}};
    for (const auto& [known, kv_heads] : random)
        if (name == known)
            return random_model(name + " (random weights)", kv_heads,
                                folder.empty() ? byte_tokenizer() : read_tokenizer(folder / "tokenizer.bin"));
    throw std::invalid_argument("no file and no built-in model is called '" + name + "'; built-in are mha, gqa, mqa");
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
