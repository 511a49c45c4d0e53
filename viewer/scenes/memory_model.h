// The models of a recording as the Memory scene sees them: planning's numbers for what the reader chose.
#pragma once
#include "reference/planning/model.h"
#include "reference/planning/plan.h"
#include "viewer/scenes/scene.h"

namespace headroom {

struct PlannedModel {
    std::string name, source;
    std::string problem; // why its config.json says nothing; empty: it does
    ModelFacts facts = {};
};
std::vector<PlannedModel> planned_models(const Recording& recording);

struct MemoryChoice {
    PlanSettings plan; // format, batch, memory
    std::string gpu;
    Index context = 0; // tokens of each sequence, from the timeline
    bool weights = true;
    Index usable() const { return plan.memory->bytes - plan.memory->bytes / 10; } // a tenth is the engine's
};
MemoryChoice memory_choice(const View& view);

// The timeline: a step doubles the context.
constexpr Index shortest_context = 256, longest_context = Index{1} << 20;
constexpr std::size_t context_steps = 13;

struct MemoryNumbers { // of one model; what is empty does not exist: nothing to count, or no limit
    Index bytes_per_token = 0, bytes_per_token_later = 0, cache_bytes = 0;
    std::optional<Index> weight_bytes, most_tokens, largest_batch;
    bool weights_fit = true, endless = false; // endless: the cache stops growing
};
MemoryNumbers memory_numbers(const PlannedModel& model, const MemoryChoice& choice);

// Cache and, if asked for, weights; empty: these are not known, or it is beyond what can be counted.
std::optional<double> bytes_at(const PlannedModel& model, const MemoryChoice& choice, Index context, Index batch);

std::size_t chosen_model(const Recording& recording, const View& view); // pointed at, else chosen by the control
std::vector<Control> controls_of_memory(const Recording& recording);

} // namespace headroom
