#include "tests/planning/config_index.h"

#include "reference/tensor/files.h"
#include "tests/support/shared_data.h"

namespace headroom {
namespace {

// One record of comma-separated values; a quoted value may hold commas and doubled quotes.
std::vector<std::string> split_record(const std::string& line)
{
    std::vector<std::string> values(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            values.back() += line[++i];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            values.emplace_back();
        else if (line[i] != '\r')
            values.back() += line[i];
    }
    return values;
}

} // namespace

std::string file_text(const std::filesystem::path& file)
{
    const std::vector<std::byte> bytes = read_file(file);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::filesystem::path IndexRow::config() const { return shared_data("data/configs/" + name() + ".json"); }

std::vector<IndexRow> config_index()
{
    const auto file = shared_data("data/configs-index.csv");
    if (file.empty()) return {};
    std::vector<IndexRow> rows;
    std::vector<std::string> header;
    const std::string text = file_text(file);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::vector<std::string> values = split_record(text.substr(at, end - at));
        at = end + 1;
        if (header.empty()) {
            header = values;
            continue;
        }
        if (values.size() != header.size()) continue;
        IndexRow row;
        for (std::size_t i = 0; i < header.size(); ++i) row.columns[header[i]] = values[i];
        rows.push_back(row);
    }
    return rows;
}

} // namespace headroom
