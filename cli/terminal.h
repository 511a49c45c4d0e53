// Text for people: headings, dim and bright words, bars and aligned columns. Colour only where stdout is a terminal.
#pragma once
#include "reference/tensor/tensor.h"

namespace headroom {

class Terminal {
public:
    Terminal(); // colour: stdout is a terminal, NO_COLOR is not set, TERM is not "dumb"

    std::string heading(int number, const std::string& title) const; // "── 2  Title ─────", 78 wide
    std::string strong(const std::string& text) const { return paint("1", text); }
    std::string dim(const std::string& text) const { return paint("2", text); }
    std::string accent(const std::string& text) const { return paint("36", text); }

private:
    std::string paint(const char* code, const std::string& text) const;
    bool colour_;
};

std::string bytes_text(Index bytes);                          // "4,096 B", "1.25 MiB"
std::string count_text(Index number);                         // "1,234,567"
std::string bar(double value, double largest, int width);     // "██████▌"
std::string spark(std::span<const double> values, int width); // "▁▂▃▅█", the largest of each piece
std::string pad_left(const std::string& text, int width);     // to the right edge of a column, by characters
std::string pad_right(const std::string& text, int width);
std::string flowing_text(const std::string& text, int width,
                         const std::string& indent); // lines; what is not text becomes "·"

} // namespace headroom
