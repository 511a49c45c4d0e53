#include "reference/planning/allocation.h"

#include <stdexcept>

namespace headroom {

KvGeometry allocatable(const LayerGeometry& layer, Index layers, Index sequences, const KvFormat& format)
{
    if (!layer.owns_cache()) throw std::invalid_argument("this layer owns no cache");
    if (format.name == "i4") throw std::invalid_argument("no cache stores i4");
    return checked({.layers = layers,
                    .sequences = sequences,
                    .kv_heads = layer.kv_heads,
                    .head_dim = layer.head_dim,
                    .value_dim = layer.value_dim,
                    .type = dtype_from_name(format.name),
                    .scaling = format.scaling,
                    .scales = {},
                    .value_in_key = layer.latent});
}

} // namespace headroom
