#include "cuda/executor/tracer/tracer.h"

#include "cuda/executor/tracer/source_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headroom::cuda {

using tracer::Kind;
using tracer::Place;
using tracer::Request;

thread_local Tracer* active_tracer = nullptr;

Tracer::Tracer(const HostMemory& memory, unsigned event_blocks)
    : memory_(memory), event_blocks_(event_blocks), shadow_(simt::SharedMemory::limit)
{}

void Tracer::begin(std::string_view kernel, const LaunchShape& shape)
{
    trace_.step = kernel;
    trace_.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
    trace_.block = {shape.block.x, shape.block.y, shape.block.z};
}

void Tracer::initialised(const void* address, std::size_t bytes)
{
    const HostMemory::Block* block = memory_.find(address, bytes);
    if (!block || !bytes) return;
    const std::byte* begin = memory_.begin_of(address);
    auto& flags = initialised_[begin];
    flags.resize(block->bytes, false);
    const auto first = flags.begin() + (static_cast<const std::byte*>(address) - begin);
    std::fill(first, first + static_cast<std::ptrdiff_t>(bytes), true);
}

void Tracer::forget(const void* buffer)
{
    initialised_.erase(static_cast<const std::byte*>(buffer));
    buffers_.erase(static_cast<const std::byte*>(buffer));
}

void Tracer::block_begins(simt::Block& block)
{
    const Dim index = block.index(), grid = block.shape().grid;
    block_ = &block;
    block_number_ = index.x + grid.x * (index.y + grid.y * index.z);
    warps_.assign((block.threads() + 31) / 32, {});
    shadow_.clear();
    clocks_.clear(block.threads());
}

void Tracer::block_ends(simt::Block&)
{
    for (unsigned warp = 0; warp < warps_.size(); ++warp) flush(warp);
    for (const auto& [buffer, traffic] : traffic_) trace_.blocks.push_back(traffic);
    traffic_.clear();
    block_ = nullptr;
}

void Tracer::lanes_met(simt::Block& block, simt::Op op, unsigned warp, std::uint32_t lanes, simt::Site)
{
    const unsigned existing = std::min(32u, block.threads() - 32 * warp);
    if (static_cast<unsigned>(std::popcount(lanes)) == existing) flush(warp);
    if (op != simt::Op::syncwarp) return; // shuffles are no fences
    std::vector<unsigned> threads;
    for (std::uint32_t m = lanes; m; m &= m - 1)
        threads.push_back(32 * warp + static_cast<unsigned>(std::countr_zero(m)));
    clocks_.synchronise(threads);
}

void Tracer::barrier_opened(simt::Block& block, std::uint32_t warps)
{
    std::vector<unsigned> threads;
    for (unsigned t = 0; t < block.threads(); ++t)
        if (warps >> t / 32 & 1) threads.push_back(t);
    for (unsigned warp = 0; warp < warps_.size(); ++warp)
        if (warps >> warp & 1) flush(warp);
    clocks_.synchronise(threads);
}

void Tracer::plain_access(const void* address, std::size_t bytes, bool writes, const void* code)
{
    simt::Lane& lane = *simt::current;
    const auto* a = static_cast<const std::byte*>(address);
    const auto* stack = static_cast<const std::byte*>(lane.fiber.stack);
    if (a >= stack && a < stack + lane.fiber.stack_bytes) return;
    record(lane, {{}, code}, address, bytes, writes ? Kind::store : Kind::load);
}

void Tracer::access(simt::Lane& lane, const void* address, std::size_t bytes, bool writes, simt::Site site)
{
    record(lane, {site, nullptr}, address, bytes, writes ? Kind::store : Kind::load);
}

void Tracer::atomic_access(simt::Lane&, const void* address, std::size_t bytes) // atomics do not race
{
    if (block_->shared().contains(address))
        shadow_.written(block_->shared().offset(address), bytes);
    else
        initialised(address, bytes);
}

void Tracer::copy(simt::Lane& lane, const void* to, std::size_t bytes, bool landed, simt::Site site)
{
    const std::size_t offset = block_->shared().offset(to);
    check_shared(lane, {site, nullptr}, offset, bytes, true); // it races from its issue on
    if (!landed) {
        shadow_.under_way(offset, bytes);
        warps_[lane.warp].add(lane.lane, {site, nullptr}, Kind::copy, nullptr, offset, static_cast<unsigned>(bytes));
    }
}

void Tracer::copied(simt::Block& block, const void* to, std::size_t bytes)
{
    shadow_.written(block.shared().offset(to), bytes);
}

void Tracer::record(simt::Lane& lane, const Place& place, const void* address, std::size_t bytes, Kind kind)
{
    if (!block_) return;
    const bool writes = kind == Kind::store;
    if (block_->shared().contains(address)) {
        const std::size_t offset = block_->shared().offset(address);
        if (!block_->shared().holds(address, bytes))
            return fault(place, lane, fmt::format("out of bounds: {}", block_->shared().describe(address)));
        check_shared(lane, place, offset, bytes, writes);
        warps_[lane.warp].add(lane.lane, place, kind, nullptr, offset, static_cast<unsigned>(bytes));
        return;
    }
    if (!memory_.find(address, bytes)) {
        const std::string where = memory_.describe(address);
        // Parameters, constants and the executor's own data are in no buffer.
        if (where.find("no buffer") == where.npos)
            fault(place, lane, fmt::format("{} out of bounds: {}", writes ? "write" : "read", where));
        return;
    }
    check_global(lane, place, address, bytes, writes);
    warps_[lane.warp].add(lane.lane, place, kind, memory_.begin_of(address), reinterpret_cast<std::uint64_t>(address),
                          static_cast<unsigned>(bytes));
}

void Tracer::check_shared(simt::Lane& lane, const Place& place, std::size_t offset, std::size_t bytes, bool writes)
{
    std::size_t byte = offset;
    const std::string wrong = shadow_.access(lane.thread, offset, bytes, writes, clocks_, byte);
    if (!wrong.empty())
        fault(place, lane, fmt::format("{}: {}", block_->shared().describe(block_->shared().dynamic() + byte), wrong));
}

void Tracer::check_global(simt::Lane& lane, const Place& place, const void* address, std::size_t bytes, bool writes)
{
    if (writes) return initialised(address, bytes);
    const std::byte* begin = memory_.begin_of(address);
    auto& flags = initialised_[begin];
    flags.resize(memory_.find(address, bytes)->bytes, false);
    const auto first = static_cast<std::size_t>(static_cast<const std::byte*>(address) - begin);
    for (std::size_t i = first; i < first + bytes; ++i)
        if (!flags[i]) return fault(place, lane, "uninitialised read: " + memory_.describe(begin + i));
}

void Tracer::fault(const Place& place, const simt::Lane& lane, const std::string& what)
{
    if (!faulty_.insert(place).second || faults_.size() >= 100) return;
    faults_.push_back(
        {place, fmt::format("block {}, thread {} (warp {}, lane {})", block_number_, lane.thread, lane.warp, lane.lane),
         what});
}

int Tracer::buffer_of(std::uint64_t address)
{
    const auto* a = reinterpret_cast<const std::byte*>(address);
    const HostMemory::Block* block = memory_.find(a, 1);
    const auto [it, fresh] = buffers_.try_emplace(memory_.begin_of(a), static_cast<int>(trace_.buffers.size()));
    if (fresh) trace_.buffers.push_back({block->label, static_cast<Index>(block->bytes)});
    return it->second;
}

int Tracer::site(const Place& place, Op op, Space space, int buffer)
{
    const auto [it, fresh] = site_index_.try_emplace({place, op, space, buffer}, static_cast<int>(trace_.sites.size()));
    if (fresh) {
        trace_.sites.push_back({place.site.file, place.site.line, op, space, buffer, 0, 0, 0, 0, 0, 0, 0});
        places_.push_back(place);
    }
    return it->second;
}

void Tracer::flush(unsigned warp)
{
    for (const Request& request : warps_[warp].take()) account(warp, request);
}

// The copy engine's requests: up to 32 rows each.
void Tracer::rows_read(simt::Lane& lane, std::span<const void* const> rows, std::size_t bytes_each, simt::Site site)
{
    for (std::size_t first = 0; first < rows.size(); first += 32) {
        Request request{
            .place = {site, nullptr}, .kind = Kind::copy, .shared = false, .bytes = static_cast<unsigned>(bytes_each)};
        for (std::size_t n = 0; n < 32 && first + n < rows.size(); ++n) {
            request.lanes |= 1u << n;
            request.address[n] = reinterpret_cast<std::uint64_t>(rows[first + n]);
        }
        account(lane.warp, request);
    }
}

void Tracer::account(unsigned warp, const Request& request)
{
    const auto first = static_cast<std::size_t>(std::countr_zero(request.lanes));
    const int buffer = request.shared ? -1 : buffer_of(request.address[first]);
    const Op op = request.kind == Kind::load ? Op::load : request.kind == Kind::store ? Op::store : Op::async_copy;
    const int number = site(request.place, op, request.shared ? Space::shared : Space::global, buffer);
    TracedSite& s = trace_.sites[static_cast<std::size_t>(number)];
    const Index lanes = std::popcount(request.lanes);
    const Index cost = request.shared ? request.wavefronts() : request.sectors();
    const Index ideal = request.shared ? request.ideal_wavefronts() : request.ideal_sectors();
    ++s.requests;
    s.lanes += lanes;
    s.bytes += lanes * static_cast<Index>(request.bytes);
    if (request.shared) {
        s.wavefronts += cost;
        s.ideal_wavefronts += ideal;
    } else {
        s.sectors += cost;
        s.ideal_sectors += ideal;
        count_for_block(buffer, request);
    }

    if (block_number_ >= event_blocks_) return;
    TracedEvent event{.block = block_number_,
                      .warp = static_cast<std::uint16_t>(warp),
                      .site = static_cast<std::uint16_t>(number),
                      .lanes = request.lanes,
                      .bytes = request.bytes,
                      .cost = static_cast<std::uint16_t>(cost),
                      .ideal = static_cast<std::uint16_t>(ideal)};
    const auto base =
        request.shared
            ? 0
            : reinterpret_cast<std::uint64_t>(memory_.begin_of(reinterpret_cast<const void*>(request.address[first])));
    for (std::size_t lane = 0; lane < 32; ++lane)
        event.offset[lane] = request.lanes >> lane & 1 ? static_cast<Index>(request.address[lane] - base) : -1;
    trace_.events.push_back(event);
}

void Tracer::count_for_block(int buffer, const Request& request)
{
    const Index all = trace_.buffers[static_cast<std::size_t>(buffer)].bytes;
    TracedBlock& t =
        traffic_
            .try_emplace(buffer, TracedBlock{block_number_, buffer, 0, 0, 0, all, 0}) // it has touched nothing yet
            .first->second;
    const Index bytes = std::popcount(request.lanes) * static_cast<Index>(request.bytes);
    (request.kind == Kind::store ? t.bytes_written : t.bytes_read) += bytes;
    t.sectors += request.sectors();
    for (std::size_t lane = 0; lane < 32; ++lane) {
        if (!(request.lanes >> lane & 1)) continue;
        const auto* at = reinterpret_cast<const std::byte*>(request.address[lane]);
        const Index offset = at - memory_.begin_of(at);
        t.first = std::min(t.first, offset);
        t.end = std::max(t.end, offset + static_cast<Index>(request.bytes));
    }
}

KernelTrace Tracer::take()
{
    std::vector<const void*> code;
    for (const Place& place : places_)
        if (place.code) code.push_back(place.code);
    for (const Found& found : faults_)
        if (found.place.code) code.push_back(found.place.code);
    const auto lines = tracer::source_lines(code);
    const auto line_of = [&](const Place& place) -> tracer::Line {
        if (const auto it = lines.find(place.code); it != lines.end()) return it->second;
        const std::string_view file = place.site.file;
        return {std::string(file.substr(file.rfind('/') + 1)), place.site.line};
    };
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const tracer::Line line = line_of(places_[i]);
        trace_.sites[i].file = line.file;
        trace_.sites[i].line = line.number;
    }
    for (const Found& found : faults_) {
        const tracer::Line line = line_of(found.place);
        trace_.faults.push_back(
            fmt::format("{}, {}:{}, {}: {}", trace_.step, line.file, line.number, found.where, found.what));
    }
    places_.clear();
    site_index_.clear();
    buffers_.clear();
    faults_.clear();
    faulty_.clear();
    return std::exchange(trace_, {});
}

} // namespace headroom::cuda
