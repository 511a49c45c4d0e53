// How a cache stores its numbers, as seen by a calculation: bits per number, and what the scales of a row take.
#pragma once
#include "reference/tensor/scaling.h"
#include <string>
#include <string_view>

namespace headroom {

struct KvFormat {
    std::string name = "bf16";
    Index bits = 16;
    Scaling scaling = Scaling::none;

    Index row_bytes(Index width) const; // one K or V of one head and token, its scale included
};

// "f32" "f16" "bf16" "f8e4m3" "i8" as the caches store them, and "i4", which they do not. Throws std::invalid_argument
// listing the names. 8-bit numbers come with one float32 scale per head and token, as in the caches; i4 with none.
KvFormat kv_format(std::string_view name);

// With another scaling. Static scales (per tensor or head) are a few numbers per layer and not counted; per channel is
// refused, as there the keys' scales are static and the values' are not.
KvFormat scaled(KvFormat format, Scaling scaling);

} // namespace headroom
