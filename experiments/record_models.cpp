#include "experiments/record_models.h"

#include "reference/planning/model.h"
#include "reference/tensor/files.h"
#include <array>

namespace headroom {

std::vector<RecordedModel> known_models()
{
    std::vector<RecordedModel> list;
#define KNOWN(name, source, config) list.push_back({name, source, config});
#include "experiments/known_models.inc"
#undef KNOWN
    return list;
}

RecordedModel recorded_model(const std::filesystem::path& config)
{
    const ModelFacts model = read_model(config); // refuses what says nothing about a cache
    const std::vector<std::byte> bytes = read_file(config);
    return {.name = model.geometry.name,
            .source = config.filename().string(),
            .config = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

} // namespace headroom
