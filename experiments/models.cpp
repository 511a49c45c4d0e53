#include "experiments/models.h"

#include "reference/decoder/checkpoint.h"
#include "reference/decoder/random_decoder.h"
#include <array>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace headroom {
namespace {

namespace fs = std::filesystem;

Model random_model(const std::string& name, Index kv_heads)
{
    const DecoderConfig config{.width = 128,
                               .layers = 4,
                               .q_heads = 8,
                               .kv_heads = kv_heads,
                               .head_dim = 16,
                               .hidden = 344,
                               .vocabulary = 259,
                               .max_length = 2048};
    return {name, random_decoder(config, 1), byte_tokenizer()};
}

Model read_model(const fs::path& checkpoint, const std::string& tokenizer)
{
    Decoder decoder = read_checkpoint(checkpoint).decoder;
    fs::path words = tokenizer;
    if (tokenizer.empty()) {
        words = checkpoint.parent_path() / "tokenizer.bin";
        if (!fs::exists(words))
            throw std::invalid_argument("no tokenizer.bin lies beside " + checkpoint.string() +
                                        "; name the model's tokenizer with --tokenizer");
    }
    Model model{checkpoint.string(), std::move(decoder), read_tokenizer(words)};
    if (model.tokenizer.size() != model.decoder.config.vocabulary)
        throw std::invalid_argument(words.string() + " has " + std::to_string(model.tokenizer.size()) +
                                    " tokens, the model's vocabulary has " +
                                    std::to_string(model.decoder.config.vocabulary));
    return model;
}

} // namespace

Model load_model(const std::string& model, const std::string& tokenizer)
{
    constexpr std::array<std::pair<std::string_view, Index>, 3> built_in{{{"gqa", 2}, {"mha", 8}, {"mqa", 1}}};
    for (const auto& [name, kv_heads] : built_in)
        if (model == name || model.empty()) {
            if (!tokenizer.empty())
                throw std::invalid_argument("--tokenizer goes with a checkpoint: name it with --model");
            return random_model(std::string(name), kv_heads);
        }
    return read_model(model, tokenizer);
}

} // namespace headroom
