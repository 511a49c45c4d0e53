// The one list behind --impl: reference, online, parallel, then the kernels' ladder.
#pragma once
#include "reference/contract/implementation.h"
#include <span>
#include <string_view>

namespace headroom {

std::vector<Implementation> implementations();
const Implementation& find(std::span<const Implementation> list, std::string_view name); // throws std::invalid_argument

} // namespace headroom
