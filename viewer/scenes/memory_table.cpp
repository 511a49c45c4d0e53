#include "viewer/scenes/chart.h"
#include "viewer/scenes/memory_page.h"

#include <array>

namespace headroom {
namespace {

constexpr std::array columns{Words::per_token, Words::weights_bytes, Words::cache_now, Words::most_tokens,
                             Words::largest_batch};

struct Entry { // a number, or words in its place
    std::string_view pattern = "{}";
    std::vector<Fact> facts;
};

Entry limit(const std::optional<Index>& number, const MemoryNumbers& n, const std::string& what, Language language)
{
    if (number) return {.facts = {count_of(what, *number)}};
    return {.pattern = n.endless ? words(Words::no_limit, language) : "—", .facts = {}};
}

std::array<Entry, columns.size()> row_of(const PlannedModel& model, const MemoryNumbers& n, Language language)
{
    std::array<Entry, columns.size()> row;
    row[0].facts = {bytes_of("bytes per token, " + model.name, n.bytes_per_token)};
    if (n.weight_bytes)
        row[1].facts = {bytes_of("weights, " + model.name, *n.weight_bytes)};
    else
        row[1].pattern = "—";
    row[2].facts = {bytes_of("cache at this context, " + model.name, n.cache_bytes)};
    row[3] = limit(n.most_tokens, n, "most tokens of each sequence, " + model.name, language);
    row[4] = limit(n.largest_batch, n, "largest batch at this context, " + model.name, language);
    return row;
}

} // namespace

void draw_memory_table(const MemoryPicture& on, Rect at)
{
    const float em = on.page.em;
    Rect room = panel(on.picture, at, em);
    const Rect head = room.cut_top(1.9f * em);
    const float name_width = 0.3f * room.width();
    const Rect numbers{room.x0 + name_width, room.y0, room.x1, room.y1};
    const int n = static_cast<int>(columns.size());
    for (int c = 0; c < n; ++c) {
        const Rect column = numbers.column(c, n, 0.4f * em);
        const std::string_view name = words(columns[static_cast<std::size_t>(c)], on.view.language);
        const float size = std::min(0.8f * em, column.width() / text_width(name, Face::sans, 1));
        on.picture.words({column.x1, head.y0 + 0.9f * em}, name,
                         {.ink = Ink::muted, .size = size, .align = Align::right});
    }
    const int rows = static_cast<int>(on.models.size());
    for (int i = 0; i < rows; ++i) {
        const PlannedModel& model = on.models[static_cast<std::size_t>(i)];
        const Rect row = room.row(i, rows, 0);
        const float base_line = row.centre().y + 0.32f * em;
        const bool is_chosen = static_cast<std::size_t>(i) == on.chosen;
        Mark& ground = on.picture.fill({row.x0 - 0.5f * em, row.y0, row.x1 + 0.5f * em, row.y1},
                                       is_chosen ? Ink::sunken : Ink::panel, 3);
        ground.cell = {Part::model, i, 0, 0, 0};
        const Look look = look_of(static_cast<std::size_t>(i));
        on.picture.line({row.x0, base_line - 0.3f * em}, {row.x0 + 1.6f * em, base_line - 0.3f * em}, look.ink, 2.5f)
            .dash = look.dash;
        const std::string label = model.problem.empty() ? model.name + "  " + model.facts.geometry.kind : model.name;
        on.picture.words({row.x0 + 2.1f * em, base_line},
                         shorten(label, Face::sans, 0.85f * em, name_width - 2.4f * em),
                         {.size = 0.85f * em, .face = Face::sans});
        if (!model.problem.empty()) {
            on.picture.words({numbers.x0, base_line}, shorten(model.problem, Face::sans, 0.8f * em, numbers.width()),
                             {.ink = Ink::warning, .size = 0.8f * em});
            continue;
        }
        const auto entries = row_of(model, memory_numbers(model, on.choice), on.view.language);
        for (int c = 0; c < n; ++c) {
            const Rect column = numbers.column(c, n, 0.4f * em);
            const float fitting = column.width() / text_width("1,048,576 ", Face::mono, 1);
            const Entry& entry = entries[static_cast<std::size_t>(c)];
            on.picture.words({column.x1, base_line}, entry.pattern,
                             {.size = std::min(0.82f * em, fitting), .face = Face::mono, .align = Align::right},
                             entry.facts);
        }
    }
}

} // namespace headroom
