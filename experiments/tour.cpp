#include "experiments/tour.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {

Tour tour(const TourSettings& settings)
{
    const auto next = [&](const std::string& what) {
        if (settings.progress) settings.progress(what);
    };
    const Backend backend = reference_backend();
    Tour t{.settings = settings,
           .model = load_model(settings.model, settings.tokenizer),
           .prompt = {},
           .layer = {},
           .sharing = {},
           .saving = head_saving(32, 4, 64, 256),
           .cache = CacheRaceSettings{}.options,
           .race = {}};
    t.prompt = t.model.tokenizer.encode(settings.prompt);
    const Index prompt = static_cast<Index>(t.prompt.size()), context = t.model.decoder.config.max_length;
    if (prompt + settings.steps - 1 > context)
        throw std::invalid_argument("the tour needs a context of " + std::to_string(prompt + settings.steps - 1) +
                                    " tokens; the model's is " + std::to_string(context));

    next("the prompt through one layer");
    t.layer = layer_shapes(t.model.decoder, t.prompt, backend);
    next("MHA, GQA and MQA in lockstep");
    t.sharing = lockstep({.prompt = settings.prompt, .steps = settings.steps}, backend);
    next("the same text through every cache");
    t.cache.max_length = prompt + settings.steps;
    t.race = cache_race(t.model.decoder, {.prompt = t.prompt, .steps = settings.steps, .options = t.cache}, backend);
    return t;
}

const RaceLane& Tour::lane(std::string_view name) const { return *std::ranges::find(race, name, &RaceLane::name); }

} // namespace headroom
