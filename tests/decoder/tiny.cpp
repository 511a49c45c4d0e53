#include "tests/decoder/tiny.h"

#include "reference/decoder/random_decoder.h"

namespace headroom {
namespace {

void add_logits(const Decoder& model, const Tensor& hidden, const Backend& backend, Logits& into)
{
    for (Index t = 0; t < hidden.extent(0); ++t) into.push_back(logits(model, hidden.row(t), backend));
}

} // namespace

Decoder tiny_decoder(bool shared_classifier) { return random_decoder(tiny_config, 7, shared_classifier); }

Logits logits_without_cache(const Decoder& model, const std::vector<int>& tokens, DType type, AttentionOptions options)
{
    Backend backend = reference_backend();
    backend.options = options;
    PackedKv memory(cache_geometry(model.config, 1, type));
    Logits all;
    add_logits(model, forward(model, following({tokens}, std::vector<Index>{0}), memory, backend), backend, all);
    return all;
}

Logits logits_in_chunks(const Decoder& model, const std::vector<int>& tokens, Index chunk, KvCache& cache,
                        AttentionOptions options)
{
    Backend backend = reference_backend();
    backend.options = options;
    CachedKv memory(cache);
    Logits all;
    const auto n = static_cast<Index>(tokens.size());
    for (Index from = 0; from < n; from += chunk) {
        const std::vector<int> part(tokens.begin() + from, tokens.begin() + std::min(n, from + chunk));
        add_logits(model, forward(model, following({part}, cache.lengths()), memory, backend), backend, all);
    }
    return all;
}

} // namespace headroom
