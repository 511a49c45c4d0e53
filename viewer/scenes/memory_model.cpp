#include "viewer/scenes/memory_model.h"

#include "reference/planning/fit.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace headroom {
namespace {

constexpr std::array formats{"f32", "bf16", "f8e4m3", "i8", "i4"};

Control kv_dtype()
{
    return {.key = "kv_dtype", .label = Words::kv_dtype, .choices = {formats.begin(), formats.end()}, .initial = 1};
}
Control batch()
{
    return {.key = "batch",
            .label = Words::batch,
            .kind = Control::Kind::number,
            .least = 1,
            .most = 1024,
            .doubles = true,
            .initial = 1};
}
Control gpu_control()
{
    Control control{.key = "gpu", .label = Words::gpu, .initial = 1};
    for (const Gpu& each : gpus()) control.choices.emplace_back(each.name);
    return control;
}
Control weights()
{
    return {.key = "weights", .label = Words::with_weights, .kind = Control::Kind::toggle, .initial = 1};
}
Control model(const Recording& recording)
{
    Control control{.key = "model", .label = Words::model};
    for (const RecordedModel& each : recording.models) control.choices.push_back(each.name);
    return control;
}

} // namespace

std::vector<PlannedModel> planned_models(const Recording& recording)
{
    std::vector<PlannedModel> list;
    for (const RecordedModel& each : recording.models) {
        PlannedModel planned{.name = each.name, .source = each.source, .problem = {}};
        try {
            planned.facts = model_from_text(each.config);
        } catch (const std::exception& error) {
            planned.problem = error.what();
        }
        list.push_back(std::move(planned));
    }
    return list;
}

MemoryChoice memory_choice(const View& view)
{
    MemoryChoice choice;
    const auto index = [&](const Control& c) { return static_cast<std::size_t>(setting(view.settings, c)); };
    choice.plan.cache.format = kv_format(formats.at(index(kv_dtype())));
    choice.plan.batch = static_cast<Index>(setting(view.settings, batch()));
    const Gpu& gpu = gpus()[index(gpu_control())];
    choice.gpu = gpu.name;
    choice.plan.memory = Memory{gpu.memory_bytes, std::string(gpu.name)};
    choice.weights = setting(view.settings, weights()) > 0;
    const double doublings = std::clamp(view.time, 0.0, static_cast<double>(context_steps - 1));
    choice.context = std::llround(static_cast<double>(shortest_context) * std::exp2(doublings));
    return choice;
}

MemoryNumbers memory_numbers(const PlannedModel& model, const MemoryChoice& choice)
{
    MemoryNumbers n;
    const Geometry& g = model.facts.geometry;
    n.bytes_per_token = bytes_per_token(g, choice.plan.cache);
    n.bytes_per_token_later = bytes_per_token_beyond_window(g, choice.plan.cache);
    n.cache_bytes = kv_bytes(g, choice.plan.cache, choice.context, choice.plan.batch);
    n.weight_bytes = weigh(model.facts.parameters, choice.plan).bytes;
    if (choice.weights && !n.weight_bytes) return n;
    const Fit fits = fit(g, choice.plan, choice.context, choice.weights ? *n.weight_bytes : 0);
    n.weights_fit = fits.room_bytes >= 0;
    n.most_tokens = fits.longest_context;
    n.largest_batch = fits.largest_batch;
    n.endless = !fits.longest_context;
    return n;
}

std::optional<double> bytes_at(const PlannedModel& model, const MemoryChoice& choice, Index context, Index batch)
{
    try {
        const double cache = static_cast<double>(kv_bytes(model.facts.geometry, choice.plan.cache, context, batch));
        if (!choice.weights) return cache;
        const std::optional<Index> weights = weigh(model.facts.parameters, choice.plan).bytes;
        return weights ? std::optional(cache + static_cast<double>(*weights)) : std::nullopt;
    } catch (const std::overflow_error&) {
        return std::nullopt;
    }
}

std::size_t chosen_model(const Recording& recording, const View& view)
{
    const Cell cell = view.chosen();
    if (cell.part == Part::model) return static_cast<std::size_t>(cell.lane);
    return static_cast<std::size_t>(setting(view.settings, model(recording)));
}

std::vector<Control> controls_of_memory(const Recording& recording)
{
    return {model(recording), kv_dtype(), batch(), gpu_control(), weights()};
}

} // namespace headroom
