// Headings, dim and bright words, bars. Colour only where stdout is a terminal.
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
    void say(const std::string& text) const; // a dim line, indented

private:
    std::string paint(const char* code, const std::string& text) const;
    bool colour_;
};

std::string bar(double value, double largest, int width);     // "██████▌"
std::string spark(std::span<const double> values, int width); // "▁▂▃▅█", the largest of each piece

} // namespace headroom
