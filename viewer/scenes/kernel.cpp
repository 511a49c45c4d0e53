// Kernel: blocks, warps and lanes over the bytes of K, the parts that they leave and how these merge. From the tracer.
#include "viewer/picture/paragraph.h"
#include "viewer/scenes/kernel_page.h"
#include <algorithm>
#include <array>

namespace headroom {

std::size_t steps_of_kernel(const Recording& recording, const View& view);

namespace {

Control kernel_control(const Recording& recording)
{
    Control control{.key = "kernel", .label = Words::kernel};
    for (const TracedStep& each : recording.kernels) control.choices.push_back(each.step);
    return control;
}

} // namespace

void layout_kernel(Picture& picture, const Recording& recording, const View& view, Rect at)
{
    const std::size_t steps = steps_of_kernel(recording, view);
    const Page page = headroom::page(picture, recording, view, Words::kernel_title, steps, at);
    const float em = page.em;
    if (recording.kernels.empty()) {
        paragraph(picture, panel(picture, page.body, em), words(Words::nothing_recorded, view.language), page.text);
        return;
    }
    const KernelChoice choice = kernel_choice(recording, view);
    const TracedStep& step = recording.kernels[choice.kernel];
    const std::shared_ptr<const KernelIndex> index = kernel_index(recording, view, choice.kernel);
    const KernelReads reads = reads_of_k(step, *index, choice, steps);
    const KernelPicture on{picture, view, page, step, choice, *index, reads};

    Rect body = page.body;
    Rect below = body.cut_bottom(std::min(16 * em, 0.4f * body.height()));
    body.cut_bottom(0.8f * em);
    draw_k_bytes(on, body);
    draw_blocks(on, below.cut_left(0.36f * below.width()));
    below.cut_left(0.8f * em);
    draw_merge(on, below);

    Rect room = words_panel(picture, page, step.step, "09_first_kernel");
    TextStyle style{.size = 0.92f * em};
    room.y0 = quotation(picture, room, translated(step.idea, view.language), style) + 0.45f * em;
    paragraph(picture, room, words(Words::kernel_text, view.language), style,
              {count_of("query heads that share a KV head", step.shape.group_size()),
               {.what = "bytes read for each byte of K and V",
                .number = bytes_read_per_kv_byte(step),
                .origin = Fact::Origin::measured}});
    draw_kernel_numbers(on, page.inspector);
}

std::size_t steps_of_kernel(const Recording& recording, const View& view)
{
    if (recording.kernels.empty()) return 0;
    return std::min(most_kernel_steps, event_count(recording.kernels[kernel_choice(recording, view).kernel]));
}

std::vector<Control> controls_of_kernel(const Recording& recording)
{
    using enum Control::Kind;
    double heads = 1, group = 1;
    for (const TracedStep& each : recording.kernels) {
        heads = std::max(heads, static_cast<double>(each.shape.Hkv));
        group = std::max(group, static_cast<double>(each.shape.group_size()));
    }
    return {kernel_control(recording),
            {.key = "kv_head", .label = Words::kv_head, .kind = number, .least = 0, .most = heads - 1},
            {.key = "in_group", .label = Words::query_of_group, .kind = number, .least = 0, .most = group - 1},
            {.key = "keys",
             .label = Words::tokens,
             .kind = number,
             .least = 8,
             .most = 512,
             .doubles = true,
             .initial = 256,
             .remakes = true},
            {.key = "head_dim",
             .label = Words::head_dim,
             .kind = number,
             .least = 32,
             .most = 128,
             .doubles = true,
             .initial = 64,
             .remakes = true},
            {.key = "kv_dtype", // and so how many bytes a lane reads at once
             .label = Words::kv_dtype,
             .choices = {"auto", "f32", "f16", "bf16"},
             .remakes = true}};
}

std::span<const Phase> phases_of_kernel()
{
    static constexpr std::array list{Phase{Words::phase_read, 1}};
    return list;
}

bool kernel_has(const Recording& recording, const View& view, const Cell& cell)
{
    if (recording.kernels.empty()) return false;
    if (names_tensor(cell)) return cell.lane == -1 && (cell.part == Part::k || cell.part == Part::v);
    if (cell.part != Part::access) return false;
    const KernelChoice choice = kernel_choice(recording, view);
    if (cell.lane != static_cast<std::int32_t>(choice.kernel) || cell.head != choice.kv_head) return false;
    const std::shared_ptr<const KernelIndex> index = kernel_index(recording, view, choice.kernel);
    return cell.row >= 0 && cell.row < index->keys && cell.column >= 0 && cell.column < index->units;
}

} // namespace headroom
