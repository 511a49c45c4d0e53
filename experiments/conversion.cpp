#include "experiments/conversion.h"

#include "reference/decoder/pool_heads.h"
#include <stdexcept>
#include <utility>

namespace headroom {

Conversion convert_to_kv_heads(const std::filesystem::path& checkpoint, Index kv_heads, const Tokenizer& tokenizer,
                               const std::string& text, const Backend& backend)
{
    const Checkpoint original = read_checkpoint(checkpoint);
    const DecoderConfig& config = original.decoder.config;
    if (tokenizer.size() != config.vocabulary)
        throw std::invalid_argument("the tokenizer has " + std::to_string(tokenizer.size()) +
                                    " tokens, the model's vocabulary has " + std::to_string(config.vocabulary));
    Conversion conversion{.converted = pool_kv_heads(original.decoder, kv_heads), .format = original.format};
    const bool shared = original.decoder.classifier.empty();
    conversion.kv_heads_before = config.kv_heads;
    conversion.kv_heads_after = kv_heads;
    conversion.weights_before = parameters(config, shared);
    conversion.weights_after = parameters(conversion.converted.config, shared);
    const std::vector<int> tokens = tokenizer.encode(text);
    conversion.before = score(original.decoder, tokens, {}, backend);
    conversion.after = score(conversion.converted, tokens, {}, backend);
    return conversion;
}

} // namespace headroom
