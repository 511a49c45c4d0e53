#include "reference/decoder/pool_heads.h"

#include "reference/decoder/weight_list.h"
#include <stdexcept>

namespace headroom {
namespace {

StoredTensor copy(const StoredTensor& tensor) { return store(load(tensor), tensor.type()); }

StoredTensor pool(const StoredTensor& projection, Index kv_heads, Index head_dim) // [Hkv D, E] -> [kv_heads D, E]
{
    const Tensor rows = load(projection);
    const Index E = rows.extent(1), replaced = rows.extent(0) / (kv_heads * head_dim);
    Tensor pooled({kv_heads * head_dim, E});
    for (Index g = 0; g < kv_heads; ++g)
        for (Index d = 0; d < head_dim; ++d)
            for (Index e = 0; e < E; ++e) {
                double sum = 0;
                for (Index r = 0; r < replaced; ++r) sum += rows((g * replaced + r) * head_dim + d, e);
                pooled(g * head_dim + d, e) = sum / static_cast<double>(replaced);
            }
    return store(pooled, projection.type());
}

} // namespace

Decoder pool_kv_heads(const Decoder& model, Index kv_heads)
{
    const DecoderConfig& c = model.config;
    if (kv_heads < 1 || c.kv_heads % kv_heads != 0)
        throw std::invalid_argument("the model's " + std::to_string(c.kv_heads) + " KV heads cannot be pooled to " +
                                    std::to_string(kv_heads) + ": the number must divide them");
    Decoder pooled;
    pooled.config = c;
    pooled.config.kv_heads = kv_heads;
    pooled.embedding = copy(model.embedding);
    pooled.final_norm = copy(model.final_norm);
    if (!model.classifier.empty()) pooled.classifier = copy(model.classifier);
    for (const LayerWeights& layer : model.layers) {
        LayerWeights& target = pooled.layers.emplace_back();
        for (const LayerWeight& each : layer_weights()) each.in(target) = copy(each.of(layer));
        target.attention.k_proj = pool(layer.attention.k_proj, kv_heads, c.head_dim);
        target.attention.v_proj = pool(layer.attention.v_proj, kv_heads, c.head_dim);
    }
    return pooled;
}

} // namespace headroom
