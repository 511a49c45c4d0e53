// Wraps an attention so that what passes through it is kept: no hooks in the model, none in the reference.
#pragma once
#include "reference/contract/implementation.h"
#include "reference/recording/recording.h"

namespace headroom {

// Counts its calls from 0: call n belongs to layer n. Keeps the chosen layers in `into`, which must outlive it.
AttentionFunction recorded(AttentionFunction attention, std::vector<RecordedLayer>& into, std::vector<Index> layers);
RecordedLayer record_layer(Index layer, const AttentionProblem& problem, AttentionStages stages);

void record_slots(const KvView& kv, RecordedStep& into); // slot, position, slots

} // namespace headroom
