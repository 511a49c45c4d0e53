// Which layers see only the last W tokens, or only their own chunk.
#include "reference/planning/rules.h"

#include <functional>
#include <stdexcept>

namespace headroom {
namespace {

using Slides = std::function<bool(Index layer)>;
struct Choice {
    Slides slides;
    std::string because;
};

// Every n-th layer sees everything; "LLLG" spells it out, and the last layer is always global.
std::optional<Choice> by_pattern(const Rules& r)
{
    for (const char* key : {"sliding_window_pattern", "_sliding_window_pattern"}) {
        if (!r.config.states(key)) continue;
        if (r.config.object()[key].is_string()) {
            const std::string letters = *r.config.text(key);
            if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos)
                throw std::invalid_argument(r.config.label(key) + " is " + short_text(letters) +
                                            ": it must consist of the letters L and G");
            const Index last = r.layers() - 1;
            return Choice{
                [=](Index i) { return i != last && letters[static_cast<std::size_t>(i) % letters.size()] == 'L'; },
                "the pattern " + letters + " repeats (" + key + ")"};
        }
        const Index every = r.config.number({key}, layer_limit)->value;
        return Choice{[=](Index i) { return (i + 1) % every != 0; },
                      "every " + std::to_string(every) + "th layer sees everything (" + key + ")"};
    }
    return std::nullopt;
}

// The rule that the model's code holds and its file leaves out.
std::optional<Choice> by_class(const Rules& r)
{
    const ConfigPart& c = r.config;
    if (c.is_family({"smollm3"}) && c.flag("use_sliding_window").value_or(false)) return std::nullopt;
    if (c.has("use_sliding_window") || c.is_family({"qwen2", "qwen2moe", "qwen2vl", "qwen25vl", "qwen3", "qwen3moe"})) {
        if (!c.flag("use_sliding_window").value_or(false))
            return Choice{[](Index) { return false; }, "use_sliding_window is not true: no window"};
        const auto first = c.number({"max_window_layers"}, {0, layer_limit.most});
        if (!first) throw std::invalid_argument("use_sliding_window is true, but max_window_layers is not stated");
        return Choice{[n = first->value](Index i) { return i >= n; },
                      "the layers from " + std::to_string(first->value) + " on slide (max_window_layers)"};
    }
    if (c.is_family({"gemma2", "gptoss"}))
        return Choice{[](Index i) { return i % 2 == 0; }, "even layers slide in the class " + c.family()};
    if (c.is_family({"gemma3"}))
        return Choice{[](Index i) { return (i + 1) % 6 != 0; }, "every 6th layer sees everything in the class gemma3"};
    if (c.is_family({"gemma3n"}))
        return Choice{[](Index i) { return (i + 1) % 5 != 0; }, "every 5th layer sees everything in the class gemma3n"};
    if (c.is_family({"cohere2"}))
        return Choice{[](Index i) { return (i + 1) % 4 != 0; }, "every 4th layer sees everything in the class cohere2"};
    if (c.is_family({"mistral", "mixtral", "phi3", "phimoe", "starcoder2", "phi4multimodal", "phi4mm"}))
        return Choice{[](Index) { return true; }, "all layers slide in the class " + c.family()};
    return std::nullopt;
}

std::optional<Stated> window_width(const Rules& r)
{
    if (const auto stated =
            r.config.number({"sliding_window", "sliding_window_size", "attention_window_size"}, token_limit))
        return stated;
    if (r.config.is_family({"gptneo"}))
        if (const auto stated = r.config.number({"window_size"}, token_limit)) return stated;
    if (r.defaults && r.defaults->window > 0 && !r.config.has("sliding_window"))
        return Stated{r.defaults->window, "default of the class " + r.config.family()};
    return std::nullopt;
}

void slide(const Rules& r, const Choice& choice, const Stated& width)
{
    Index sliding = 0;
    for (Index i = 0; i < r.layers(); ++i) {
        LayerGeometry& layer = r.geometry.layers[static_cast<std::size_t>(i)];
        if (!layer.attends() || !choice.slides(i)) continue;
        layer.role = Role::sliding;
        layer.window = width.value;
        ++sliding;
    }
    r.say(sliding == 0 ? choice.because
                       : std::to_string(sliding) + " of " + std::to_string(r.geometry.attention_layers()) +
                             " attention layers keep the last " + std::to_string(width.value) + " tokens (" +
                             width.key + "): " + choice.because);
}

void rule_chunks(const Rules& r)
{
    if (r.geometry.count(Role::chunked) == 0 && !r.config.is_family({"llama4"})) {
        if (r.config.states("attention_chunk_size"))
            throw std::invalid_argument("attention_chunk_size is stated, but not which layers it applies to");
        return;
    }
    const auto chunk = r.config.number({"attention_chunk_size"}, token_limit);
    if (!chunk) throw std::invalid_argument("attention_chunk_size is not stated, but the class attends in chunks");
    const auto with_rope = r.config.numbers("no_rope_layers", {0, 1}); // 1: with RoPE, in chunks; 0: without, global
    const auto every = r.config.number({"no_rope_layer_interval"}, layer_limit);
    const Index interval = every ? every->value : 4;
    const bool listed = r.geometry.count(Role::chunked) > 0;
    if (with_rope && !with_rope->empty() && static_cast<Index>(with_rope->size()) != r.layers())
        throw std::invalid_argument("no_rope_layers does not list every layer");
    for (Index i = 0; i < r.layers(); ++i) {
        LayerGeometry& layer = r.geometry.layers[static_cast<std::size_t>(i)];
        const bool in_chunks = listed                             ? layer.role == Role::chunked
                               : with_rope && !with_rope->empty() ? (*with_rope)[static_cast<std::size_t>(i)] == 1
                                                                  : (i + 1) % interval != 0;
        if (!in_chunks) continue;
        layer.role = Role::chunked;
        layer.chunk = chunk->value;
    }
    r.say(std::to_string(r.geometry.count(Role::chunked)) + " of " + std::to_string(r.layers()) +
          " layers attend only inside their chunk of " + std::to_string(chunk->value) +
          " tokens (attention_chunk_size); their cache is counted in full, as engines rarely evict chunks");
}

} // namespace

void rule_windows(const Rules& r)
{
    const Index listed = r.geometry.count(Role::sliding);
    const auto width = window_width(r);
    if (listed > 0) {
        if (!width) throw std::invalid_argument("some layers slide, but sliding_window is not stated");
        if (r.config.has("use_sliding_window") && !*r.config.flag("use_sliding_window"))
            throw std::invalid_argument("the listed layers slide, but use_sliding_window is false");
        slide(r,
              {[&](Index i) { return r.geometry.layers[static_cast<std::size_t>(i)].role == Role::sliding; }, "listed"},
              *width);
    } else if (r.config.states("layer_types")) {
        // The list has the last word: no layer slides, whatever width is stated beside it.
    } else if (width) {
        auto choice = by_pattern(r);
        if (!choice) choice = by_class(r);
        if (!choice)
            throw std::invalid_argument(r.config.label(width->key) + " is " + std::to_string(width->value) +
                                        ", but nothing says which layers slide in this class");
        slide(r, *choice, *width);
    } else if (r.config.flag("use_sliding_window").value_or(false) && !r.config.has("sliding_window")) {
        throw std::invalid_argument("use_sliding_window is true, but sliding_window is not stated");
    } else if (r.config.is_family({"mistral"}) && !r.config.has("sliding_window")) {
        throw std::invalid_argument("sliding_window is not stated: the class mistral slides unless it is null");
    } else if (r.config.is_family({"gemma2", "gemma3", "gemma3n", "cohere2", "gptoss"})) {
        throw std::invalid_argument("sliding_window is not stated, but layers of the class " + r.config.family() +
                                    " slide");
    }
    rule_chunks(r);
}

} // namespace headroom
