// The header of a llama2.c checkpoint in both of its forms; llama2c.h describes them.
#pragma once
#include "reference/decoder/config.h"
#include <cstddef>
#include <span>
#include <vector>

namespace headroom {

struct Llama2cHeader {
    int version = 0;
    DecoderConfig config;
    bool shared_classifier = true;

    std::size_t bytes() const { return version == 0 ? 7 * 4 : 256; } // before the weights begin
};

// Throws std::invalid_argument unless the header makes sense and the file is exactly as long as it says.
Llama2cHeader parse_llama2c_header(std::span<const std::byte> file);
std::vector<std::byte> written(const Llama2cHeader& header);

} // namespace headroom
