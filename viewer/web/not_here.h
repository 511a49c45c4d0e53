// What a page cannot run, kernels and models, it shows from the recording that it brings along.
#pragma once
#include <filesystem>

namespace headroom {

void bring_along(const std::filesystem::path& recording);

} // namespace headroom
