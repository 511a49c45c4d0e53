#include "viewer/scenes/kernel_reads.h"

#include <algorithm>

namespace headroom {
namespace {

const TracedBuffer* buffer_of(const KernelTrace& launch, const TracedEvent& event)
{
    const int buffer = launch.sites[event.site].buffer;
    return buffer < 0 ? nullptr : &launch.buffers[static_cast<std::size_t>(buffer)];
}

bool reads_k(const KernelTrace& launch, const TracedEvent& event)
{
    const TracedBuffer* buffer = buffer_of(launch, event);
    return buffer && buffer->label == "k" && launch.sites[event.site].op != Op::store;
}

template <class Visit> void each_event(const TracedStep& step, Visit visit)
{
    std::size_t number = 0;
    for (const KernelTrace& launch : step.launches)
        for (const TracedEvent& event : launch.events) visit(launch, event, number++);
}

} // namespace

std::size_t event_count(const TracedStep& step)
{
    std::size_t n = 0;
    for (const KernelTrace& launch : step.launches) n += launch.events.size();
    return n;
}

KernelChoice kernel_choice(const Recording& recording, const View& view)
{
    const auto wanted = [&](std::string_view key) {
        const auto found = view.settings.find(key);
        return found == view.settings.end() ? Index{0} : static_cast<Index>(std::max(0.0, found->second));
    };
    KernelChoice choice;
    const auto last = static_cast<Index>(recording.kernels.size()) - 1;
    choice.kernel = static_cast<std::size_t>(std::clamp<Index>(wanted("kernel"), 0, std::max<Index>(0, last)));
    if (last < 0) return choice;
    const TracedStep& step = recording.kernels[choice.kernel];
    choice.kv_head = std::clamp<Index>(wanted("kv_head"), 0, step.shape.Hkv - 1);
    choice.in_group = std::clamp<Index>(wanted("in_group"), 0, step.shape.group_size() - 1);
    choice.now = moment(std::min(most_kernel_steps, event_count(step)), view);
    return choice;
}

KernelReads reads_of_k(const TracedStep& step, const KernelChoice& choice, std::size_t steps)
{
    KernelReads r;
    r.row_bytes = step.shape.D * byte_size(step.type);
    r.keys = step.lengths.empty() || step.k_row.empty() ? 0 : std::min(step.lengths.front(), step.k_row.extent(2));
    r.unit_bytes = r.row_bytes;
    each_event(step, [&](const KernelTrace& launch, const TracedEvent& event, std::size_t) {
        if (reads_k(launch, event) && event.bytes > 0) r.unit_bytes = std::min<Index>(r.unit_bytes, event.bytes);
    });
    r.units = (r.row_bytes + r.unit_bytes - 1) / r.unit_bytes;
    r.touches.assign(static_cast<std::size_t>(r.keys * r.units), {});
    std::vector<std::pair<Index, Index>> by_offset; // where a row begins, which key
    for (Index j = 0; j < r.keys; ++j) {
        r.row.push_back(static_cast<Index>(step.k_row(0, choice.kv_head, j)));
        if (r.row.back() >= 0) by_offset.emplace_back(r.row.back(), j);
    }
    std::ranges::sort(by_offset);

    r.events = event_count(step);
    const auto until = [&](std::size_t n) { return steps ? (n * r.events + steps - 1) / steps : 0; };
    r.events_until_now = until(choice.now.step + 1);
    const std::size_t before = until(choice.now.step);
    each_event(step, [&](const KernelTrace& launch, const TracedEvent& event, std::size_t number) {
        if (number >= r.events_until_now && r.is_recorded) return;
        if (!reads_k(launch, event)) return;
        for (std::int32_t lane = 0; lane < 32; ++lane) {
            const Index offset = event.offset[static_cast<std::size_t>(lane)];
            if (offset < 0) continue;
            auto row = std::ranges::upper_bound(by_offset, offset, {}, &std::pair<Index, Index>::first);
            if (row == by_offset.begin()) continue;
            --row;
            const Index within = offset - row->first;
            if (within >= r.row_bytes) continue;
            r.is_recorded = true;
            if (number >= r.events_until_now) return;
            const Index last = std::min<Index>(r.row_bytes, within + std::max<Index>(1, event.bytes)) - 1;
            for (Index unit = within / r.unit_bytes; unit <= last / r.unit_bytes; ++unit) {
                Touch& t = r.touches[static_cast<std::size_t>(row->second * r.units + unit)];
                ++t.times;
                t.block = static_cast<std::int32_t>(event.block);
                t.warp = event.warp;
                t.lane = lane;
                t.now = number >= before;
            }
        }
    });
    return r;
}

KernelTotals totals_of(const TracedStep& step)
{
    KernelTotals t;
    Index ideal = 0, cost = 0;
    for (const KernelTrace& launch : step.launches) {
        for (const TracedSite& s : launch.sites) {
            t.requests += s.requests;
            t.sectors += s.sectors;
            t.wavefronts += s.wavefronts;
            t.conflicts += s.wavefronts - s.ideal_wavefronts;
        }
        for (const TracedEvent& event : launch.events)
            if (buffer_of(launch, event)) ideal += event.ideal, cost += event.cost;
    }
    t.bytes_moved = 32 * t.sectors;
    t.sector_use = cost ? static_cast<double>(ideal) / static_cast<double>(cost) : 0;
    return t;
}

} // namespace headroom
