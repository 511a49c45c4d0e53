#include "reference/planning/anatomy.h"

#include <array>

namespace headroom {

const Anatomy* anatomy(std::string_view family)
{
#define ANATOMY(name, ...) Anatomy{.family = #name __VA_OPT__(, ) __VA_ARGS__},
    static constexpr std::array list{
#include "reference/planning/anatomy.inc"
    };
#undef ANATOMY
    for (const Anatomy& known : list)
        if (known.family == family) return &known;
    return nullptr;
}

} // namespace headroom
