#include "viewer/scenes/kernel_reads.h"

#include "viewer/scenes/magnitudes.h"
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

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

namespace {

// Where rows of K begin in their buffer, of all heads of the first sequence.
class Rows {
public:
    struct Place {
        Index hkv, key, within;
    };
    explicit Rows(const TracedStep& step, Index keys)
    {
        for (Index hkv = 0; hkv < step.shape.Hkv && keys > 0; ++hkv)
            for (Index j = 0; j < keys; ++j)
                if (const auto at = static_cast<Index>(step.k_row(0, hkv, j)); at >= 0) rows_.push_back({at, hkv, j});
        std::ranges::sort(rows_, {}, [](const Row& r) { return std::tie(r.at, r.hkv, r.key); });
    }
    // The row that begins last at or before this byte; `within` may lie behind its end.
    std::optional<Place> find(Index offset) const
    {
        auto row = std::ranges::upper_bound(rows_, offset, {}, &Row::at);
        if (row == rows_.begin()) return {};
        --row;
        return Place{row->hkv, row->key, offset - row->at};
    }

private:
    struct Row {
        Index at, hkv, key;
    };
    std::vector<Row> rows_;
};

void add_reads(const TracedStep& step, KernelIndex& index)
{
    index.row_bytes = step.shape.D * byte_size(step.type);
    index.keys = step.lengths.empty() || step.k_row.empty() ? 0 : std::min(step.lengths.front(), step.k_row.extent(2));
    index.unit_bytes = index.row_bytes;
    each_event(step, [&](const KernelTrace& launch, const TracedEvent& event, std::size_t) {
        if (reads_k(launch, event) && event.bytes > 0)
            index.unit_bytes = std::min<Index>(index.unit_bytes, event.bytes);
    });
    index.units = (index.row_bytes + index.unit_bytes - 1) / index.unit_bytes;
    index.reads.resize(static_cast<std::size_t>(step.shape.Hkv));
    const Rows rows(step, index.keys);
    each_event(step, [&](const KernelTrace& launch, const TracedEvent& event, std::size_t number) {
        if (!reads_k(launch, event)) return;
        for (std::size_t lane = 0; lane < event.offset.size(); ++lane) {
            if (event.offset[lane] < 0) continue;
            const auto place = rows.find(event.offset[lane]);
            if (!place || place->within >= index.row_bytes) continue;
            const Index last = std::min<Index>(index.row_bytes, place->within + std::max<Index>(1, event.bytes)) - 1,
                        unit = place->within / index.unit_bytes;
            index.reads[static_cast<std::size_t>(place->hkv)].push_back(
                {.event = static_cast<std::uint32_t>(number),
                 .block = static_cast<std::int32_t>(event.block),
                 .key = static_cast<std::int32_t>(place->key),
                 .unit = static_cast<std::int32_t>(unit),
                 .units = static_cast<std::int32_t>(last / index.unit_bytes - unit + 1),
                 .warp = event.warp,
                 .lane = static_cast<std::uint8_t>(lane)});
        }
    });
}

std::vector<BlockBytes> bytes_of_blocks(const TracedStep& step)
{
    std::map<std::uint32_t, BlockBytes> blocks;
    for (const KernelTrace& launch : step.launches)
        for (const TracedBlock& block : launch.blocks) {
            const std::string& label = launch.buffers[static_cast<std::size_t>(block.buffer)].label;
            if (label != "k" && label != "v") continue;
            BlockBytes& bytes = blocks.try_emplace(block.block, BlockBytes{.block = block.block}).first->second;
            (label == "k" ? bytes.k : bytes.v) += block.bytes_read;
        }
    std::vector<BlockBytes> list;
    for (const auto& [number, bytes] : blocks) list.push_back(bytes);
    return list;
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

} // namespace

KernelIndex kernel_index(const TracedStep& step)
{
    KernelIndex index;
    add_reads(step, index);
    index.blocks = bytes_of_blocks(step);
    index.totals = totals_of(step);
    return index;
}

std::shared_ptr<const KernelIndex> kernel_index(const Recording& recording, const View& view, std::size_t kernel)
{
    if (view.overview && view.overview->of == &recording) return {view.overview, &view.overview->kernels[kernel]};
    return std::make_shared<const KernelIndex>(kernel_index(recording.kernels[kernel]));
}

KernelReads reads_of_k(const TracedStep& step, const KernelIndex& index, const KernelChoice& choice, std::size_t steps)
{
    KernelReads r;
    r.keys = index.keys, r.units = index.units;
    r.unit_bytes = index.unit_bytes, r.row_bytes = index.row_bytes;
    for (Index j = 0; j < r.keys; ++j) r.row.push_back(static_cast<Index>(step.k_row(0, choice.kv_head, j)));
    r.touches.assign(static_cast<std::size_t>(r.keys * r.units), {});
    const std::size_t events = event_count(step);
    const auto until = [&](std::size_t n) { return steps ? (n * events + steps - 1) / steps : 0; };
    r.events_until_now = until(choice.now.step + 1);
    const std::size_t before = until(choice.now.step);
    const auto& reads = index.reads[static_cast<std::size_t>(choice.kv_head)];
    r.is_recorded = !reads.empty();
    for (const KernelIndex::Read& read : reads) {
        if (read.event >= r.events_until_now) break;
        for (Index unit = read.unit; unit < read.unit + read.units; ++unit) {
            Touch& t = r.touches[static_cast<std::size_t>(read.key * r.units + unit)];
            ++t.times;
            t.block = read.block;
            t.warp = read.warp;
            t.lane = read.lane;
            t.now = read.event >= before;
        }
    }
    return r;
}

} // namespace headroom
