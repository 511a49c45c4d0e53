#include "viewer/picture/paragraph.h"
#include "viewer/scenes/memory_page.h"

#include <algorithm>

namespace headroom {
namespace {

struct Alike { // layers that store the same
    LayerGeometry layer;
    Index count;
};

std::vector<Alike> alike(const Geometry& g)
{
    std::vector<Alike> groups;
    for (const LayerGeometry& layer : g.layers) {
        if (!layer.owns_cache()) continue;
        const auto same = std::ranges::find(groups, layer, &Alike::layer);
        if (same == groups.end())
            groups.push_back({layer, 1});
        else
            ++same->count;
    }
    return groups;
}

} // namespace

void draw_model_inspector(const MemoryPicture& on, Rect at)
{
    const float em = on.page.em;
    const PlannedModel& model = on.models[on.chosen];
    Rect room = panel(on.picture, at, on.page, model.name);
    const Language language = on.view.language;
    const auto say = [&](Words text, const std::vector<Fact>& facts, TextStyle style) {
        room.y0 = paragraph(on.picture, room, words(text, language), style, facts) + 0.3f * em;
    };
    const TextStyle plain{.size = 0.9f * em};
    if (!model.problem.empty()) {
        paragraph(on.picture, room, words(Words::config_unreadable, language), plain);
        return;
    }
    const KvFormat& format = on.choice.plan.cache.format;
    const auto index = [](const char* what, Index n) {
        return Fact{.what = what, .number = static_cast<double>(n), .unit = Unit::index};
    };
    Index sum = 0;
    for (const Alike& group : alike(model.facts.geometry)) {
        const LayerGeometry& l = group.layer;
        const Index bytes = group.count * token_bytes(l, on.choice.plan.cache);
        sum += bytes;
        if (l.latent)
            say(Words::latent_layers,
                {index("layers", group.count), index("numbers of the latent vector", l.head_dim),
                 index("bits of a number", format.bits), bytes_of("bytes per token of these layers", bytes)},
                plain);
        else
            say(Words::plain_layers,
                {index("layers", group.count), index("KV heads", l.kv_heads), index("key width", l.head_dim),
                 index("value width", l.value_dim), index("bits of a number", format.bits),
                 bytes_of("bytes per token of these layers", bytes)},
                plain);
        if (l.role == Role::sliding) say(Words::only_window, {count_of("window", l.window)}, on.page.small);
        if (l.role == Role::chunked) say(Words::only_chunk, {count_of("chunk", l.chunk)}, on.page.small);
    }
    if (format.scaling != Scaling::none) say(Words::scales_included, {}, on.page.small);
    say(Words::sum_per_token, {bytes_of("bytes per token, " + model.name, sum)}, {.size = em, .face = Face::bold});
    say(Words::numbers_from, {}, on.page.small);
    const std::string source = shorten(model.source, Face::mono, 0.75f * em, room.width());
    on.picture.words({room.x0, room.y0 + 0.7f * em}, source,
                     {.ink = Ink::muted, .size = 0.75f * em, .face = Face::mono});
}

} // namespace headroom
