// The index of real models' configs in the shared data: their right numbers, row by row.
#pragma once
#include "reference/tensor/tensor.h"
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom {

struct IndexRow {
    std::map<std::string, std::string> columns;
    const std::string& name() const { return columns.at("name"); }
    Index number(const std::string& column) const { return std::stoll(columns.at(column)); } // its leading number
    std::filesystem::path config() const;
};
std::vector<IndexRow> config_index(); // empty where the shared data is missing (and then says SKIPPED)
std::string file_text(const std::filesystem::path& file);

} // namespace headroom
