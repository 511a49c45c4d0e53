#include "reference/kv_cache/geometry.h"

#include <cmath>
#include <stdexcept>

namespace headroom {
namespace {

void require(bool holds, const std::string& message)
{
    if (!holds) throw std::invalid_argument("cache: " + message);
}

// A scaling that is fixed beforehand brings its numbers, layer by layer; the others must not.
void check_scales(const std::vector<float>& scales, Scaling scaling, const Shape& shape, const std::string& part)
{
    const bool fixed = scaling != Scaling::none && scaling != Scaling::per_head_and_token;
    const Index wanted = fixed ? scale_count(scaling, shape) : 0;
    require(static_cast<Index>(scales.size()) == wanted, part + " is stored with " + std::to_string(wanted) +
                                                             " static scales (" + std::string(name(scaling)) + "), " +
                                                             std::to_string(scales.size()) + " were given");
    for (const float scale : scales)
        require(scale > 0 && std::isfinite(scale), part + " has a scale that is not positive and finite");
}

} // namespace

KvGeometry checked(KvGeometry g)
{
    require(g.sequences >= 0, "sequences must not be negative");
    for (const auto& [what, number] : {std::pair{"layers", g.layers},
                                       {"kv_heads", g.kv_heads},
                                       {"head_dim", g.head_dim},
                                       {"value_dim", g.value_dim}})
        require(number >= 1, std::string(what) + " is " + std::to_string(number) + ", it must be at least 1");
    require(!g.value_in_key || g.value_dim <= g.head_dim, "values that lie in the keys are not wider than them");

    const bool eight_bit = g.type == DType::f8e4m3 || g.type == DType::i8;
    const bool floating = g.type == DType::f64 || g.type == DType::f32 || g.type == DType::f16 || g.type == DType::bf16;
    require(eight_bit || floating, std::string(name(g.type)) + " is no storage type of a cache");
    if (eight_bit && g.scaling == Scaling::none) g.scaling = Scaling::per_head_and_token;
    require(eight_bit || g.scaling == Scaling::none, std::string(name(g.type)) + " is stored without scales");

    const bool latent = g.value_in_key;
    const std::vector<StaticScales> none(static_cast<std::size_t>(g.layers));
    const std::vector<StaticScales>& scales = g.scales.empty() ? none : g.scales;
    require(scales.size() == none.size(),
            std::to_string(scales.size()) + " layers have scales, the cache has " + std::to_string(g.layers));
    for (const StaticScales& layer : scales) {
        check_scales(layer.k, g.k_scaling(), {1, g.kv_heads, 1, g.head_dim}, "K");
        check_scales(layer.v, latent ? Scaling::none : g.v_scaling(), {1, g.kv_heads, 1, g.value_dim}, "V");
    }
    return g;
}

} // namespace headroom
