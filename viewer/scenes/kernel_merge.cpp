// Split keys: each block's part of a row, (m, l, o), its share, and how the parts become one.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/kernel_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom {
namespace {

struct RowPart {
    std::size_t number;
    const KernelPart* part;
    double max, sum, share, output; // output: the first element, divided by the part's own sum
};

std::vector<RowPart> parts_of_row(const TracedStep& step, const KernelChoice& choice)
{
    std::vector<RowPart> list;
    for (std::size_t n = 0; n < step.parts.size(); ++n) {
        const KernelPart& part = step.parts[n];
        if (part.b != 0 || part.hkv != choice.kv_head) continue;
        const auto i = static_cast<Index>(n);
        const double sum = step.part_sum(i, choice.in_group, 0);
        list.push_back({n, &part, step.part_max(i, choice.in_group, 0), sum, step.part_share(i, choice.in_group, 0),
                        sum > 0 ? step.part_output(i, choice.in_group, 0, 0) / sum : 0});
    }
    return list;
}

} // namespace

void draw_merge(const KernelPicture& on, Rect at)
{
    const float em = on.page.em;
    const Language language = on.view.language;
    Rect room = panel(on.picture, at, em);
    const Rect head = room.cut_top(1.7f * em);
    const Index h = on.choice.kv_head * on.step.shape.group_size() + on.choice.in_group;
    const auto index = [](const char* what, Index n) {
        return Fact{.what = what, .number = static_cast<double>(n), .unit = Unit::index};
    };
    on.picture.words({head.x0, head.y0 + 0.8f * em}, words(Words::parts_of_row, language), on.page.small,
                     {index("query head", h)});
    const std::vector<RowPart> parts = parts_of_row(on.step, on.choice);
    if (parts.empty()) {
        paragraph(on.picture, room, words(Words::nothing_to_merge, language), on.page.text);
        return;
    }
    // The shares as one bar.
    const Rect bar = room.cut_top(1.3f * em);
    float x = bar.x0;
    for (const RowPart& p : parts) {
        const float wide = bar.width() * static_cast<float>(p.share);
        on.picture.fill({x, bar.y0, std::max(x + 0.5f, x + wide - 1), bar.y1},
                        ink_of_block(static_cast<std::int32_t>(p.part->block)), 2);
        const double percent = 100 * p.share;
        const float size = 0.72f * em;
        const Fact share{.what = "share of block " + std::to_string(p.part->block),
                         .number = percent,
                         .unit = Unit::percent,
                         .origin = Fact::Origin::measured};
        if (wide > text_width(to_text(share), Face::mono, size) + 6)
            on.picture.words({x + wide / 2, bar.y0 + 0.92f * em}, "{}",
                             {.ink = Ink::on_area, .size = size, .face = Face::mono, .align = Align::centre}, {share});
        x += wide;
    }
    room.cut_top(0.5f * em);
    const Rect merged = room.cut_bottom(2.8f * em);
    const auto fitting = static_cast<std::size_t>(std::max(1.0f, room.height() / (1.3f * em)));
    double all_max = -std::numeric_limits<double>::infinity(), all_sum = 0, output = 0;
    for (const RowPart& p : parts) all_max = std::max(all_max, p.max);
    for (const RowPart& p : parts) {
        all_sum += p.sum > 0 ? p.sum * std::exp(p.max - all_max) : 0;
        output += p.share * p.output;
    }
    const TextStyle mono{
        .size = std::min(
            0.82f * em,
            room.width() / text_width("block 000 · keys 0000…0000   m -0.0000   l 00.0000   o -0.0000", Face::mono, 1)),
        .face = Face::mono};
    for (std::size_t i = 0; i < parts.size() && i < fitting; ++i) {
        const RowPart& p = parts[i];
        const Rect row = room.cut_top(1.3f * em);
        const bool more = i + 1 == fitting && parts.size() > fitting;
        const auto measured = [](const char* what, double number) {
            return Fact{.what = what, .number = number, .origin = Fact::Origin::measured};
        };
        if (more) {
            on.picture.words({row.x0, row.y0 + 0.9f * em}, words(Words::more_parts, language), on.page.small,
                             {count_of("parts not listed", static_cast<Index>(parts.size() - i))});
            break;
        }
        on.picture.words({row.x0, row.y0 + 0.9f * em}, words(Words::part_line, language), mono,
                         {index("block", p.part->block), index("first key", p.part->from),
                          index("last key", p.part->to - 1), measured("m of the part", p.max),
                          measured("l of the part", p.sum), measured("o of the part, first element", p.output)});
    }
    on.picture.words({merged.x0, merged.y0 + 1.0f * em},
                     "m = max = {}   l = Σ l·exp(m − max) = {}   o = Σ share·o = {}", mono,
                     {{.what = "merged m", .number = all_max},
                      {.what = "merged l", .number = all_sum},
                      {.what = "merged o, first element", .number = output}});
    if (!on.step.output.empty())
        on.picture.words({merged.x0, merged.y0 + 2.4f * em}, words(Words::output_is, language),
                         {.ink = Ink::output, .size = mono.size, .face = Face::mono},
                         {index("query head", h),
                          {.what = "kernel's output, first element",
                           .number = on.step.output(0, h, 0, 0),
                           .origin = Fact::Origin::measured}});
}

} // namespace headroom
