#include "viewer/scenes/kernel_page.h"

#include <algorithm>

namespace headroom {

// A bar for each block: the bytes of K and V that it reads, over all launches.
void draw_blocks(const KernelPicture& on, Rect at)
{
    const float em = on.page.em;
    Rect room = panel(on.picture, at, em);
    const Rect head = room.cut_top(1.7f * em);
    const std::vector<BlockBytes>& blocks = on.index.blocks;
    on.picture.words({head.x0, head.y0 + 0.8f * em}, words(Words::bytes_per_block, on.view.language), on.page.small,
                     {count_of("blocks that read keys or values", static_cast<Index>(blocks.size()))});
    if (blocks.empty()) return;
    Index most = 1;
    for (const BlockBytes& reads : blocks) most = std::max(most, reads.k + reads.v);
    const auto fitting = static_cast<std::size_t>(std::max(1.0f, room.height() / (1.35f * em)));
    const std::size_t shown = blocks.size() > fitting ? fitting - 1 : blocks.size();
    Index rest = 0;
    std::size_t n = 0;
    const auto measured = [&](std::string what, Index bytes) {
        return bytes_of(std::move(what), bytes, Fact::Origin::measured);
    };
    for (const auto& [block, k, v] : blocks) {
        if (n++ >= shown) {
            rest += k + v;
            continue;
        }
        const Rect row = room.cut_top(1.35f * em);
        const float base_line = row.y0 + 0.9f * em;
        const Fact number{.what = "block", .number = static_cast<double>(block), .unit = Unit::index};
        on.picture.words({row.x0, base_line}, words(Words::block_number, on.view.language), {.size = 0.8f * em},
                         {number});
        const std::string of = ", block " + std::to_string(block);
        on.picture.words({row.x1, base_line}, "{}", {.size = 0.8f * em, .face = Face::mono, .align = Align::right},
                         {measured("bytes of K and V read" + of, k + v)});
        const Rect track{row.x0 + 5.2f * em, row.y0 + 0.3f * em, row.x1 - 6 * em, row.y0 + 1.0f * em};
        const float part = track.width() * static_cast<float>(k + v) / static_cast<float>(most);
        const float of_k = k + v ? part * static_cast<float>(k) / static_cast<float>(k + v) : 0;
        on.picture.fill(track, Ink::sunken, 2);
        on.picture.fill({track.x0, track.y0, track.x0 + of_k, track.y1}, Ink::k, 2).opacity = on.strength(Part::k);
        on.picture.fill({track.x0 + of_k, track.y0, track.x0 + part, track.y1}, Ink::v, 2).opacity =
            on.strength(Part::v);
        on.picture.fill({track.x0 - 0.9f * em, track.y0, track.x0 - 0.4f * em, track.y1},
                        ink_of_block(static_cast<std::int32_t>(block)), 1.5f);
    }
    if (shown < blocks.size())
        on.picture.words({room.x0, room.y0 + 0.9f * em}, words(Words::more_blocks, on.view.language), on.page.small,
                         {count_of("blocks not listed", static_cast<Index>(blocks.size() - shown)),
                          measured("bytes that they read", rest)});
}

void draw_kernel_numbers(const KernelPicture& on, Rect at)
{
    const float em = on.page.em;
    const Language language = on.view.language;
    Rect room = panel(on.picture, at, on.page, words(Words::what_memory_saw, language));
    float y = room.y0 + 0.7f * em;
    const auto row = [&](Words name, const Fact& fact, Ink ink = Ink::ink) {
        const std::string_view label = words(name, language);
        const Rect number = on.picture.words(
            {room.x1, y}, "{}", {.ink = ink, .size = 0.88f * em, .face = Face::mono, .align = Align::right}, {fact});
        on.picture.words({room.x0, y}, shorten(label, Face::sans, 0.8f * em, number.x0 - room.x0 - 0.4f * em),
                         on.page.small);
        y += 1.42f * em;
    };
    const auto measured = [](Fact fact) {
        fact.origin = Fact::Origin::measured;
        return fact;
    };
    const KernelTotals& t = on.index.totals;
    row(Words::k_read, measured(bytes_of("bytes of K read", bytes_read(on.step, "k"))));
    row(Words::v_read, measured(bytes_of("bytes of V read", bytes_read(on.step, "v"))));
    row(Words::per_kv_byte,
        measured({.what = "bytes read for each byte of K and V", .number = bytes_read_per_kv_byte(on.step)}));
    row(Words::requests, measured(count_of("requests of warps", t.requests)));
    row(Words::sectors_moved, measured(bytes_of("sectors moved", t.bytes_moved)));
    row(Words::coalescing,
        measured({.what = "least sectors over moved ones, recorded events",
                  .number = 100 * t.sector_use,
                  .unit = Unit::percent}),
        t.sector_use < 0.999 && t.sector_use > 0 ? Ink::warning : Ink::ink);
    row(Words::bank_conflicts, measured(count_of("wavefronts beyond the least", t.conflicts)),
        t.conflicts ? Ink::warning : Ink::ink);
    row(Words::events_until_now,
        measured(count_of("recorded requests until now", static_cast<Index>(on.reads.events_until_now))));
    y += 0.4f * em;

    const Cell c = on.view.chosen();
    if (c.part != Part::access) return;
    const Touch& touch = on.reads.at(c.row, c.column);
    const Index from = on.reads.row[static_cast<std::size_t>(c.row)] + c.column * on.reads.unit_bytes;
    const auto index = [](const char* what, Index n) {
        return Fact{.what = what, .number = static_cast<double>(n), .unit = Unit::index};
    };
    const auto line = [&](Words text, const std::vector<Fact>& facts) {
        const std::string_view pattern = words(text, language);
        on.picture.words({room.x0, y}, pattern,
                         {.size = std::min(0.85f * em, room.width() / text_width(pattern, Face::sans, 1.25f))}, facts);
        y += 1.35f * em;
    };
    line(Words::bytes_pointed_at, {index("key", c.row), index("first byte in the buffer", from),
                                   index("last byte in the buffer", from + on.reads.unit_bytes - 1)});
    line(Words::line_pointed_at, {index("line of 128 bytes", from / 128), index("times read until now", touch.times)});
    if (touch.block >= 0)
        line(Words::reader_pointed_at,
             {index("block of the last reader", touch.block), index("warp of the last reader", touch.warp),
              index("lane of the last reader", touch.lane)});
}

} // namespace headroom
