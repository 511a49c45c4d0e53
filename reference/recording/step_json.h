// A step's line of the manifest.
#pragma once
#include "reference/recording/file_parts.h"
#include <algorithm>
#include <array>

namespace headroom::recording_file {

Json to_json(const RecordedStep& step);
RecordedStep step_from(const Json& json);

template <std::size_t N> std::uint8_t index_of(const std::array<const char*, N>& names, const std::string& wanted)
{
    const auto found = std::ranges::find(names, wanted, [](const char* name) { return std::string(name); });
    if (found == names.end()) refuse("the manifest says '" + wanted + "', which is unknown");
    return static_cast<std::uint8_t>(found - names.begin());
}

} // namespace headroom::recording_file
