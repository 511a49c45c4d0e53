#include "cli/refuse.h"

#include <iostream>

namespace headroom {

int refuse(std::string why)
{
    for (char& c : why)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    if (const auto largest = why.find(" to 17976931348623157"); largest != std::string::npos)
        why.replace(largest, std::string::npos, " and above"); // CLI11 writes out the largest double
    std::cerr << "headroom: " << why << '\n';
    return 2;
}

} // namespace headroom
