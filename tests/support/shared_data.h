// Where test data lies: small files of our own in tests/data, and real models' data beside the checkout, where it exists.
#pragma once
#include <filesystem>

namespace headroom {

std::filesystem::path test_data(const std::filesystem::path& file); // in tests/data; always there

// In the optional folder of real models' data. Where that is missing the calling test must return:
//     const auto file = shared_data("data/weights/stories260K.bin");
//     if (file.empty()) return;                                   // has printed "SKIPPED: …", which ctest counts
// With HEADROOM_REQUIRE_SHARED_DATA=1 in the environment (as in CI) a missing file throws instead.
std::filesystem::path shared_data(const std::filesystem::path& file);

} // namespace headroom
