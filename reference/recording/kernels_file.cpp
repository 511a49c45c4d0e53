#include "reference/recording/kernels_file.h"

#include "reference/recording/launches_file.h"
#include "reference/tensor/safetensors.h"
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_kernels = 1000, most_launches = 100, most_parts = 1'000'000;

std::string prefix_of(std::size_t n)
{
    const std::string digits = std::to_string(n);
    return "kernel" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + "/";
}

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

void keep(NamedTensors& file, const std::string& name, const Tensor& tensor, DType type)
{
    if (!tensor.empty()) file.tensors.emplace(name, store(tensor, type));
}

Tensor take(NamedTensors& file, const std::string& name, const Shape& shape)
{
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) return {};
    if (found->second.shape() != shape)
        refuse("tensor '" + name + "' has shape " + to_text(found->second.shape()) + ", not " + to_text(shape));
    return load(found->second);
}

// One list of a step's tensors for writing and reading.
struct StepTensor {
    std::string_view name;
    Tensor TracedStep::*tensor;
    DType type;
    Shape (*shape)(const TracedStep&);
};
Shape per_key(const TracedStep& s) { return {s.shape.B, s.shape.Hkv, s.shape.S}; }
Shape per_row(const TracedStep& s) { return {s.shape.B, s.shape.H, s.shape.L}; }
Shape per_output(const TracedStep& s) { return {s.shape.B, s.shape.H, s.shape.L, s.shape.Dv}; }
Shape per_part(const TracedStep& s) { return {static_cast<Index>(s.parts.size()), s.shape.group_size(), s.shape.L}; }
Shape per_part_output(const TracedStep& s)
{
    return {static_cast<Index>(s.parts.size()), s.shape.group_size(), s.shape.L, s.shape.Dv};
}
constexpr std::array step_tensors{
    StepTensor{"k_row", &TracedStep::k_row, DType::i64, per_key},
    StepTensor{"v_row", &TracedStep::v_row, DType::i64, per_key},
    StepTensor{"output", &TracedStep::output, DType::f64, per_output},
    StepTensor{"lse", &TracedStep::lse, DType::f64, per_row},
    StepTensor{"part_max", &TracedStep::part_max, DType::f64, per_part},
    StepTensor{"part_sum", &TracedStep::part_sum, DType::f64, per_part},
    StepTensor{"part_share", &TracedStep::part_share, DType::f64, per_part},
    StepTensor{"part_output", &TracedStep::part_output, DType::f64, per_part_output},
};

} // namespace

Json write_kernels(const std::vector<TracedStep>& kernels, NamedTensors& into)
{
    Json list = Json::array();
    for (const TracedStep& step : kernels) {
        const std::string at = prefix_of(list.size());
        const auto& [B, H, Hkv, L, S, D, Dv] = step.shape;
        Json json{{"step", step.step},
                  {"idea", step.idea},
                  {"shape", {{"B", B}, {"H", H}, {"Hkv", Hkv}, {"L", L}, {"S", S}, {"D", D}, {"Dv", Dv}}},
                  {"dtype", name(step.type)},
                  {"lengths", step.lengths},
                  {"parts", Json::array()},
                  {"launches", Json::array()}};
        for (const KernelPart& p : step.parts) json["parts"].push_back({p.block, p.b, p.hkv, p.from, p.to});
        for (const StepTensor& t : step_tensors) keep(into, at + std::string(t.name), step.*t.tensor, t.type);
        for (std::size_t n = 0; n < step.launches.size(); ++n)
            json["launches"].push_back(write_launch(step.launches[n], at + "launch" + std::to_string(n) + "/", into));
        list.push_back(std::move(json));
    }
    return list;
}

std::vector<TracedStep> read_kernels(const Json& list, NamedTensors& from)
{
    std::vector<TracedStep> kernels;
    if (list.size() > most_kernels) refuse("it has more than " + std::to_string(most_kernels) + " kernels");
    for (const Json& json : list) {
        const std::string at = prefix_of(kernels.size());
        const Json& s = json.at("shape");
        TracedStep step{.step = json.at("step"), .idea = json.at("idea")};
        step.shape = {s.at("B"), s.at("H"), s.at("Hkv"), s.at("L"), s.at("S"), s.at("D"), s.at("Dv")};
        const auto [B, H, Hkv, L, S, D, Dv] = step.shape;
        if (std::min({B, H, Hkv, D, Dv}) < 1 || std::min(L, S) < 0 || H % Hkv) refuse(at + " has an impossible shape");
        step.type = dtype_from_name(json.at("dtype").get<std::string>());
        step.lengths = json.at("lengths").get<std::vector<Index>>();
        if (static_cast<Index>(step.lengths.size()) != B) refuse(at + " has not a length for each sequence");
        for (const Index length : step.lengths)
            if (length < 0 || length > S) refuse(at + " has a sequence longer than its " + std::to_string(S) + " keys");

        if (json.at("parts").size() > most_parts) refuse(at + " has too many parts");
        for (const Json& p : json.at("parts")) {
            const KernelPart part{p.at(0), p.at(1), p.at(2), p.at(3), p.at(4)};
            if (part.block < 0 || part.b < 0 || part.b >= B || part.hkv < 0 || part.hkv >= Hkv || part.from < 0 ||
                part.to < part.from || part.to > S)
                refuse(at + " has a part of a sequence, head or keys that it has not");
            step.parts.push_back(part);
        }
        for (const StepTensor& t : step_tensors) step.*t.tensor = take(from, at + std::string(t.name), t.shape(step));
        if (!step.parts.empty() &&
            (step.part_max.empty() || step.part_sum.empty() || step.part_share.empty() || step.part_output.empty()))
            refuse(at + " has parts without part_max, part_sum, part_share or part_output");

        if (json.at("launches").size() > most_launches) refuse(at + " has too many launches");
        for (const Json& launch : json.at("launches"))
            step.launches.push_back(
                read_launch(launch, at + "launch" + std::to_string(step.launches.size()) + "/", from));
        kernels.push_back(std::move(step));
    }
    return kernels;
}

} // namespace headroom
