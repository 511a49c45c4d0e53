#include "tests/support/shared_data.h"

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>

namespace headroom {

std::filesystem::path test_data(const std::filesystem::path& file)
{
    const std::filesystem::path path = std::filesystem::path(HEADROOM_TEST_DATA) / file;
    if (!std::filesystem::exists(path)) throw std::runtime_error("test data missing: " + path.string());
    return path;
}

std::filesystem::path shared_data(const std::filesystem::path& file)
{
    const std::filesystem::path path = std::filesystem::path(HEADROOM_SHARED_DATA) / file;
    if (std::filesystem::exists(path)) return path;
    const char* required = std::getenv("HEADROOM_REQUIRE_SHARED_DATA");
    if (required && std::string_view(required) == "1")
        throw std::runtime_error("required but missing: " + path.string());
    std::cout << "SKIPPED: needs " << file << " of the shared data\n";
    return {};
}

} // namespace headroom
