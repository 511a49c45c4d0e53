// Recordings as files: safetensors with a JSON manifest, part by part.
#include "reference/recording/file_parts.h"

#include "reference/recording/kernels_file.h"
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace headroom {
namespace recording_file {

constexpr std::string_view manifest_key = "headroom.recording", schema = "headroom.recording/1";
constexpr std::size_t most_lanes = 64, most_checks = 100'000, most_models = 1000;

void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::string four_digits(std::string_view before, std::size_t number)
{
    const std::string digits = std::to_string(number);
    return std::string(before) + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

void keep(const Tensor& tensor, const std::string& name, NamedTensors& into)
{
    if (tensor.empty()) return;
    const bool fits_f32 =
        std::ranges::all_of(tensor.values(), [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
    into.tensors.emplace(name, store(tensor, fits_f32 ? DType::f32 : DType::f64));
}

Tensor take(const std::string& name, const NamedTensors& from)
{
    const auto found = from.tensors.find(name);
    return found == from.tensors.end() ? Tensor() : load(found->second);
}

namespace {

std::vector<Lane> read_lanes(const Json& json, const NamedTensors& from)
{
    if (json.size() > most_lanes) refuse("it has more than " + std::to_string(most_lanes) + " lanes");
    std::vector<Lane> lanes;
    for (const Json& each : json) lanes.push_back(read_lane(each, from));
    return lanes;
}

Recording read(NamedTensors& file)
{
    const auto manifest = file.metadata.find(std::string(manifest_key));
    if (manifest == file.metadata.end())
        refuse("it is not a recording: no metadata '" + std::string(manifest_key) + "'");
    const Json json = Json::parse(manifest->second);
    if (json.at("schema") != schema) refuse("its schema is not " + std::string(schema));
    Recording recording{
        .title = json.at("title"), .command = json.at("command"), .lanes = read_lanes(json.at("lanes"), file)};
    recording.caches = read_lanes(json.value("caches", Json::array()), file);
    const Json models = json.value("models", Json::array()), checks = json.value("checks", Json::array());
    if (models.size() > most_models || checks.size() > most_checks) refuse("it has too many models or checks");
    for (const Json& model : models) recording.models.push_back(read_model(model));
    for (std::size_t i = 0; i < checks.size(); ++i) recording.checks.push_back(read_check(checks[i], i, file));
    if (json.contains("kernels")) recording.kernels = read_kernels(json.at("kernels"), file);
    return recording;
}

} // namespace
} // namespace recording_file

void write_recording(const Recording& recording, const std::filesystem::path& path)
{
    using namespace recording_file;
    NamedTensors file;
    Json manifest{
        {"schema", schema}, {"title", recording.title}, {"command", recording.command}, {"lanes", Json::array()}};
    std::set<std::string> names; // they name the tensors
    for (const auto* lanes : {&recording.lanes, &recording.caches})
        for (const Lane& lane : *lanes) {
            if (!names.insert(lane.name).second)
                throw std::logic_error("two lanes of a recording are called " + lane.name);
            manifest[lanes == &recording.lanes ? "lanes" : "caches"].push_back(write_lane(lane, file));
        }
    for (const RecordedModel& model : recording.models) manifest["models"].push_back(write_model(model));
    for (std::size_t i = 0; i < recording.checks.size(); ++i)
        manifest["checks"].push_back(write_check(recording.checks[i], i, file));
    if (!recording.kernels.empty()) manifest["kernels"] = write_kernels(recording.kernels, file);
    file.metadata[std::string(manifest_key)] = manifest.dump();
    write_safetensors(path, file);
}

Recording read_recording(const std::filesystem::path& path)
{
    NamedTensors file = read_safetensors(path);
    try {
        return recording_file::read(file);
    } catch (const nlohmann::json::exception&) {
        throw std::invalid_argument(
            path.string() + ": not a valid recording: its manifest lacks something or holds something of a wrong kind");
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(path.string() + ": not a valid recording: " + error.what());
    }
}

} // namespace headroom
