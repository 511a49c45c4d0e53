#include "reference/planning/kv_format.h"

#include "reference/planning/checked.h"

namespace headroom {
// The caches' types keep the caches' sizes; a row of half bytes is rounded up to whole bytes.
KvFormat kv_format(std::string_view text)
{
    if (text == "i4") return {"i4", 4, Scaling::none};
    for (const DType type : {DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::i8})
        if (text == name(type))
            return {std::string(text), 8 * byte_size(type),
                    byte_size(type) == 1 ? Scaling::per_head_and_token : Scaling::none};
    throw std::invalid_argument("a cache does not store '" + std::string(text) +
                                "' (known: f32, f16, bf16, f8e4m3, i8, i4)");
}

Index KvFormat::row_bytes(Index width) const
{
    const Index scale = scaling == Scaling::per_head_and_token ? Index{sizeof(float)} : 0;
    return plus(divide_up(times(width, bits), 8), scale);
}

KvFormat scaled(KvFormat format, Scaling scaling)
{
    if (scaling == Scaling::per_channel) throw std::invalid_argument("a plan does not calculate scales per channel");
    if (scaling != Scaling::none && format.bits > 8)
        throw std::invalid_argument(format.name + " is stored without scales");
    format.scaling = scaling;
    return format;
}

} // namespace headroom
