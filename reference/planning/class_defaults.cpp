#include "reference/planning/class_defaults.h"

#include <array>

namespace headroom {

const ClassDefaults* class_defaults(std::string_view family)
{
#define CLASS_DEFAULTS(name, ...) ClassDefaults{#name, __VA_ARGS__},
    static constexpr std::array list{
#include "reference/planning/class_defaults.inc"
    };
#undef CLASS_DEFAULTS
    for (const ClassDefaults& defaults : list)
        if (defaults.family == family) return &defaults;
    return nullptr;
}

} // namespace headroom
