#include "experiments/conversion.h"

#include "experiments/models.h"
#include "reference/decoder/pool_heads.h"
#include <utility>

namespace headroom {

Conversion convert_to_kv_heads(const std::filesystem::path& checkpoint, const std::string& tokenizer, Index kv_heads,
                               const std::string& text, const Backend& backend)
{
    const Checkpoint original = read_checkpoint(checkpoint);
    const DecoderConfig& config = original.decoder.config;
    Conversion conversion{.converted = pool_kv_heads(original.decoder, kv_heads), .format = original.format};
    const bool shared = original.decoder.classifier.empty();
    conversion.kv_heads_before = config.kv_heads;
    conversion.kv_heads_after = kv_heads;
    conversion.weights_before = parameters(config, shared);
    conversion.weights_after = parameters(conversion.converted.config, shared);
    const std::vector<int> tokens = tokenizer_of(checkpoint, original.decoder, tokenizer).encode(text);
    conversion.before = score(original.decoder, tokens, {}, backend);
    conversion.after = score(conversion.converted, tokens, {}, backend);
    return conversion;
}

} // namespace headroom
