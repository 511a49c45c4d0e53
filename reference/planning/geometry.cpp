#include "reference/planning/geometry.h"

#include <algorithm>
#include <functional>

namespace headroom {

Index Geometry::count(Role role) const
{
    return std::count_if(layers.begin(), layers.end(), [role](const LayerGeometry& l) { return l.role == role; });
}

Index Geometry::attention_layers() const
{
    return std::count_if(layers.begin(), layers.end(), [](const LayerGeometry& l) { return l.attends(); });
}

Index Geometry::cache_layers() const
{
    return std::count_if(layers.begin(), layers.end(), [](const LayerGeometry& l) { return l.owns_cache(); });
}

bool Geometry::layers_vary() const
{
    return std::adjacent_find(layers.begin(), layers.end(), std::not_equal_to<>()) != layers.end();
}

} // namespace headroom
