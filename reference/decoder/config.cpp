#include "reference/decoder/config.h"

#include <cmath>
#include <stdexcept>

namespace headroom {

void check(const DecoderConfig& c)
{
    const std::pair<const char*, Index> sizes[] = {
        {"width", c.width},       {"layers", c.layers}, {"q_heads", c.q_heads},       {"kv_heads", c.kv_heads},
        {"head_dim", c.head_dim}, {"hidden", c.hidden}, {"vocabulary", c.vocabulary}, {"max_length", c.max_length}};
    constexpr Index largest = Index{1} << 31; // so that no product of two sizes, times the bytes of a number, overflows
    for (const auto& [name, size] : sizes)
        if (size < 1 || size >= largest)
            throw std::invalid_argument("the model's " + std::string(name) + " is " + std::to_string(size) +
                                        "; it must be positive and below 2^31");
    if (c.q_heads % c.kv_heads != 0)
        throw std::invalid_argument("the model's " + std::to_string(c.q_heads) +
                                    " query heads are no multiple of its " + std::to_string(c.kv_heads) + " KV heads");
    if (c.head_dim % 2 != 0)
        throw std::invalid_argument("the model's head_dim " + std::to_string(c.head_dim) +
                                    " is odd; rotary positions turn pairs");
    if (!(std::isfinite(c.rope_base) && c.rope_base > 0) || !(std::isfinite(c.norm_epsilon) && c.norm_epsilon >= 0))
        throw std::invalid_argument("the model's rope_base must be positive and its norm_epsilon not negative");
}

KvGeometry cache_geometry(const DecoderConfig& c, Index sequences, DType type)
{
    return {.layers = c.layers,
            .sequences = sequences,
            .kv_heads = c.kv_heads,
            .head_dim = c.head_dim,
            .value_dim = c.head_dim,
            .type = type};
}

Index parameters(const DecoderConfig& c, bool shared_classifier)
{
    const Index attention = 2 * c.width * c.head_dim * (c.q_heads + c.kv_heads);
    const Index feed_forward = 3 * c.width * c.hidden;
    return c.layers * (attention + feed_forward + 2 * c.width) + c.width +
           (shared_classifier ? 1 : 2) * c.vocabulary * c.width;
}

std::string sharing(const DecoderConfig& c)
{
    return c.kv_heads == c.q_heads ? "MHA" : c.kv_heads == 1 ? "MQA" : "GQA";
}

} // namespace headroom
