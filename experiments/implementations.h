// The one list behind --impl: reference, online, parallel, then the kernels' ladder.
#pragma once
#include "reference/parallel/parallel_attention.h"
#include <span>
#include <string_view>

namespace headroom {

std::vector<Implementation> implementations(const ParallelOptions& parallel = {});
// Both throw std::invalid_argument that lists what there is.
const Implementation& find(std::span<const Implementation> list, std::string_view name);
// executor: device, simt or ptx, for kernels only; "auto" or empty: the first of the list, where device stands before simt
const Implementation& find(std::span<const Implementation> list, std::string_view name, std::string_view executor);

} // namespace headroom
