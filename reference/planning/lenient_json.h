// JSON as makers of models publish it: also Infinity, NaN, trailing commas and a byte order mark.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom {

// The numbers that JSON does not know arrive as the strings "Infinity", "-Infinity", "NaN": no use of them as a size
// can pass unnoticed. Throws std::invalid_argument, one line, on anything else that is not JSON, on a key that
// appears twice in one object, on nesting deeper than 64 and on more than 16 MiB.
nlohmann::json parse_lenient_json(const std::string& text);
nlohmann::json read_lenient_json(const std::filesystem::path& file);

} // namespace headroom
