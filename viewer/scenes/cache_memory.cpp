#include "viewer/scenes/cache_memory.h"

#include <algorithm>

namespace headroom {

Slots slots_of(const Lane& lane, std::size_t at)
{
    const RecordedStep& step = lane.steps[at];
    Slots slots{.position = std::vector<Index>(static_cast<std::size_t>(step.slots), -1),
                .written = {},
                .copied = {},
                .evicted = {}};
    std::set<Index> present;
    for (Index j = 0; j < (step.slot.empty() ? 0 : step.slot.extent(1)); ++j) {
        const auto slot = static_cast<Index>(step.slot(0, j)), position = static_cast<Index>(step.position(0, j));
        if (slot < 0 || slot >= step.slots) continue;
        slots.position[static_cast<std::size_t>(slot)] = position;
        present.insert(position);
        if (position >= step.past) slots.written.insert(slot);
    }
    const bool moved =
        std::ranges::any_of(step.events, [](const CacheEvent& e) { return e.kind == CacheEvent::Kind::copy; });
    for (Index slot = 0; moved && slot < step.slots; ++slot)
        if (slots.position[static_cast<std::size_t>(slot)] >= 0 && !slots.written.contains(slot))
            slots.copied.insert(slot);
    if (at == 0) return slots;
    const RecordedStep& before = lane.steps[at - 1];
    for (Index j = 0; j < (before.slot.empty() ? 0 : before.slot.extent(1)); ++j)
        if (!present.contains(static_cast<Index>(before.position(0, j))))
            slots.evicted.insert(static_cast<Index>(before.slot(0, j)));
    return slots;
}

namespace {

// Each block that the table leads to in a frame, and under it its place in the table: "[0]" holds the first tokens.
void block_table(Picture& picture, Rect row, const SlotRow& s, Rect squares, float em)
{
    const RecordedStep& step = s.lane.steps[s.step];
    if (step.block <= 1 || step.slot.empty()) return; // blocks of one slot are slots
    const float each = row.width() / static_cast<float>(std::max<Index>(1, s.most_slots));
    const float size = std::min(0.68f * em, row.y1 - squares.y1 - 3);
    for (Index j = 0; j < step.slot.extent(1); j += step.block) {
        const auto slot = static_cast<Index>(step.slot(0, j));
        if (slot < 0 || slot >= step.slots) continue;
        const Index block = slot / step.block, entry = j / step.block;
        const float x = row.x0 + each * static_cast<float>(block * step.block);
        const Rect at{x - 1, squares.y0 - 2, x + each * static_cast<float>(step.block), squares.y1 + 1};
        picture.frame(at, Ink::muted, 1);
        const Fact fact =
            index_fact("entry of the table that leads to block " + std::to_string(block) + ", " + s.lane.name, entry);
        if (size >= 6.5f &&
            text_width(to_text(fact), Face::mono, size) + text_width("[]", Face::mono, size) < at.width())
            picture.words({at.centre().x, at.y1 + size}, "[{}]",
                          {.ink = Ink::muted, .size = size, .face = Face::mono, .align = Align::centre}, {fact});
    }
}

} // namespace

// In the upper corner, so that the number stays free.
void cross_out(Picture& picture, Rect cell)
{
    const float side = 0.3f * std::min(cell.width(), cell.height()), x = cell.x1 - 4 - side, y = cell.y0 + 4;
    picture.cross({x, y, x + side, y + side}, Ink::ink, 1.5f);
}

void draw_slots(Picture& picture, Rect row, const SlotRow& s, float em)
{
    const Slots slots = slots_of(s.lane, s.step);
    const float each = row.width() / static_cast<float>(std::max<Index>(1, s.most_slots));
    const float full = std::min({row.height() * 0.68f, 2.6f * each, 3 * em}),
                side = full * static_cast<float>(std::clamp(s.bytes_part, 0.15, 1.0));
    const float top = row.centre().y - side / 2, gap = std::min(2.0f, each * 0.15f);
    const float lift = (1 - static_cast<float>(s.progress)) * side * 0.7f;
    block_table(picture, row, s, {row.x0, top, row.x1, top + side}, em);
    for (std::size_t i = 0; i < slots.position.size(); ++i) {
        const auto slot = static_cast<Index>(i);
        Rect cell{row.x0 + each * static_cast<float>(i), top, row.x0 + each * static_cast<float>(i + 1) - gap,
                  top + side};
        const Index position = slots.position[i];
        const bool is_written = slots.written.contains(slot), is_copied = slots.copied.contains(slot),
                   overwrote = slots.evicted.contains(slot);
        if (position < 0) {
            picture.hatch(cell, Ink::faint);
            picture.frame(cell, Ink::rule);
            if (overwrote) picture.cross(cell.inset(side * 0.2f), Ink::warning, 1.5f);
            continue;
        }
        if (is_written || is_copied) cell = {cell.x0, cell.y0 - lift, cell.x1, cell.y1 - lift};
        Mark& fill = picture.fill(cell, is_written ? Ink::v : is_copied ? Ink::q : Ink::k, 2);
        fill.cell = {Part::slot, s.number, 0, static_cast<std::int32_t>(slot), static_cast<std::int32_t>(position)};
        if (is_written) picture.frame(cell, overwrote ? Ink::warning : Ink::ink, 2, 2);
        if (is_written && overwrote) cross_out(picture, cell);
        const float size = std::min(0.7f * em, std::min(cell.width() * 0.62f, cell.height() * 0.8f));
        if (size < 6.5f) continue;
        picture.words({cell.centre().x, cell.centre().y + 0.36f * size}, "{}",
                      {.ink = Ink::on_area, .size = size, .face = Face::mono, .align = Align::centre},
                      {{.what = "position in slot " + std::to_string(slot) + ", " + s.lane.name,
                        .number = static_cast<double>(position),
                        .unit = Unit::index}});
    }
}

} // namespace headroom
