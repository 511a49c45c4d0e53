#include "viewer/export/png.h"

#include <algorithm>
#include <cmath>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#if __has_include(<stb/stb_image_write.h>)
#include <stb/stb_image_write.h>
#else
#include <stb_image_write.h>
#endif
#pragma GCC diagnostic pop

namespace headroom {

std::vector<std::byte> png(const Image& image)
{
    std::vector<std::byte> file;
    const auto append = [](void* to, void* data, int size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        static_cast<std::vector<std::byte>*>(to)->insert(static_cast<std::vector<std::byte>*>(to)->end(), bytes,
                                                         bytes + size);
    };
    stbi_write_png_to_func(append, &file, image.width, image.height, 3, image.rgb.data(), image.width * 3);
    return file;
}

std::vector<std::byte> heatmap_png(const Heatmap& map, const Theme& theme, float width, float height)
{
    Picture picture;
    picture.size = {0, 0, std::clamp(std::ceil(width), 1.0f, static_cast<float>(map.columns)),
                    std::clamp(std::ceil(height), 1.0f, static_cast<float>(map.rows))};
    Heatmap bare = map;
    bare.gap = 0;
    picture.heatmap(picture.size, bare);
    return png(rasterise(picture, theme));
}

std::string base64(std::span<const std::byte> bytes)
{
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t j = 0; j < 3; ++j)
            group = group << 8 | (i + j < bytes.size() ? std::to_integer<unsigned>(bytes[i + j]) : 0);
        for (std::size_t j = 0; j < 4; ++j) text += i + j <= bytes.size() ? digits[group >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

} // namespace headroom
