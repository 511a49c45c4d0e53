#include "reference/planning/text_part.h"

#include <array>
#include <stdexcept>

namespace headroom {
namespace {

constexpr std::array nested_keys{"text_config", "llm_config",        "language_config", "language_model_config",
                                 "lm_config",   "text_model_config", "thinker_config",  "decoder"};

bool states_layers(const ConfigPart& part)
{
    for (const char* key : {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers"})
        if (part.has(key)) return true;
    return false;
}

// A flat file may repeat what its nested part states, but not contradict it.
void compare_layers(const ConfigPart& outer, const ConfigPart& inner)
{
    const auto a = outer.number({"num_hidden_layers"}, layer_limit),
               b = inner.number({"num_hidden_layers"}, layer_limit);
    if (a && b && a->value != b->value)
        throw std::invalid_argument("num_hidden_layers is " + std::to_string(a->value) + " but " +
                                    inner.label("num_hidden_layers") + " is " + std::to_string(b->value) +
                                    ": the file contradicts itself");
}

} // namespace

ConfigPart text_part(const nlohmann::json& file)
{
    ConfigPart part(file, "");
    for (int depth = 0; depth < 3; ++depth) {
        std::optional<ConfigPart> inner;
        for (const char* key : nested_keys)
            if (!inner && part.states(key) && part.object()[key].is_object()) inner = part.part(key);
        if (!inner) break;
        if (states_layers(part) && !states_layers(*inner)) break; // a flat file with an incidental nested part
        compare_layers(part, *inner);
        part = *inner;
    }
    return part;
}

} // namespace headroom
