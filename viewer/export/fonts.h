// The fonts that pictures are painted with, found where systems keep them.
#pragma once
#include "viewer/picture/text.h"
#include <memory>

namespace headroom {

struct Glyph { // coverage of one character, 0 … 255, row by row, relative to the pen on the base line
    int x = 0, y = 0, width = 0, height = 0;
    std::vector<std::uint8_t> coverage;
};

class Fonts {
public:
    Fonts(); // throws std::invalid_argument, naming what to install, if there is no usable font at all
    ~Fonts();
    const Glyph& glyph(char32_t code, Face face, float pixels); // kept for the next time

private:
    struct Files;
    std::unique_ptr<Files> files_;
};

} // namespace headroom
