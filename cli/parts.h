// Values of several parts, as "5,7,120", "1600x900" and "output,1,2,0,3" are.
#pragma once
#include "reference/tensor/tensor.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

std::vector<std::string> parts(std::string_view text, char between); // an empty part stays: "1,,2" has three

// Nothing, where not all of the text is one number from `least` to `most`: "", "+5", " 5", "0x10".
std::optional<Index> whole_number(std::string_view text, Index least, Index most);

} // namespace headroom
