#include "reference/decoder/decoder.h"

#include "reference/decoder/project.h"
#include "reference/decoder/rms_norm.h"
#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

void check(const DecoderConfig& config, const TokenBatch& batch, Index positions_in_cache)
{
    for (const auto& row : batch.tokens)
        for (const int token : row)
            if (token < 0 || token >= config.vocabulary)
                throw std::invalid_argument("token " + std::to_string(token) + " is not in the vocabulary of " +
                                            std::to_string(config.vocabulary));
    if (positions_in_cache > config.max_length)
        throw std::length_error("the cache has " + std::to_string(positions_in_cache) +
                                " positions, the model's context is " + std::to_string(config.max_length) + " tokens");
    if (positions_in_cache > 0) return; // whatever the text's length
    for (const auto& row : batch.positions)
        for (const Index position : row)
            if (position < 0 || position >= config.max_length)
                throw std::length_error("position " + std::to_string(position) + " is beyond the model's context of " +
                                        std::to_string(config.max_length) + " tokens");
}

Tensor embed(const Decoder& model, const TokenBatch& batch) // [T, E]
{
    const StoredView table = model.embedding.view();
    Tensor x({batch.total(), model.config.width});
    Index t = 0;
    for (const auto& row : batch.tokens)
        for (const int token : row) {
            for (Index e = 0; e < model.config.width; ++e) x(t, e) = value(table, 0, 0, token, e);
            ++t;
        }
    return x;
}

void add(Tensor& x, const Tensor& y)
{
    for (std::size_t i = 0; i < x.values().size(); ++i) x.values()[i] += y.values()[i];
}

} // namespace

Tensor forward(const Decoder& model, const TokenBatch& batch, KvMemory& memory, const Backend& backend)
{
    const DecoderConfig& config = model.config;
    const Index in_cache = memory.positions_in_cache();
    check(config, batch, in_cache);
    if (batch.total() == 0) return Tensor({0, config.width});
    Index first = 0, end = in_cache; // of the positions, which turn q and k
    if (in_cache == 0) {
        const std::vector<Index> positions = batch.padded_positions();
        const auto [least, most] = std::ranges::minmax(positions);
        first = least;
        end = most + 1;
    }
    const RopeTable table = RopeTable::between(first, end, config.head_dim, config.rope_base);

    memory.begin(batch.counts());
    try {
        Tensor x = embed(model, batch); // [T, E]
        for (Index layer = 0; layer < config.layers; ++layer) {
            const LayerWeights& w = model.layers[static_cast<std::size_t>(layer)];
            add(x, grouped_query_attention(rms_norm(x, w.attention_norm, config.norm_epsilon), batch, w.attention,
                                           config, table, layer, memory, backend));
            add(x, feed_forward(rms_norm(x, w.ffn_norm, config.norm_epsilon), w.ffn, backend));
        }
        memory.end();
        return rms_norm(x, model.final_norm, config.norm_epsilon);
    } catch (...) {
        memory.abandon();
        throw;
    }
}

std::vector<double> logits(const Decoder& model, std::span<const double> hidden, const Backend& backend)
{
    const Tensor x({1, model.config.width}, std::vector<double>(hidden.begin(), hidden.end()));
    const Tensor scores = project(x, model.classifier.empty() ? model.embedding : model.classifier, backend);
    return {scores.values().begin(), scores.values().end()};
}

} // namespace headroom
