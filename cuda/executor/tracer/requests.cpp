#include "cuda/executor/tracer/requests.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace headroom::cuda::tracer {

std::int64_t Request::sectors() const
{
    std::set<std::uint64_t> touched;
    for (std::size_t lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1)
            for (std::uint64_t s = address[lane] / 32; s <= (address[lane] + bytes - 1) / 32; ++s) touched.insert(s);
    return static_cast<std::int64_t>(touched.size());
}

std::int64_t Request::ideal_sectors() const
{
    std::set<std::uint64_t> addresses; // lanes that read the same count once
    for (std::size_t lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1) addresses.insert(address[lane]);
    return static_cast<std::int64_t>((addresses.size() * bytes + 31) / 32);
}

namespace {

// Accesses of 8 and 16 bytes are served for 16 and 8 lanes at a time.
std::size_t lanes_of_a_phase(unsigned bytes) { return bytes >= 16 ? 8 : bytes == 8 ? 16 : 32; }

} // namespace

std::int64_t Request::wavefronts() const
{
    const std::size_t phase = lanes_of_a_phase(bytes);
    std::int64_t total = 0;
    for (std::size_t first = 0; first < 32; first += phase) {
        std::array<std::set<std::uint64_t>, 32> words; // [bank]
        for (std::size_t lane = first; lane < first + phase; ++lane)
            if (lanes >> lane & 1)
                for (std::uint64_t w = address[lane] / 4; w <= (address[lane] + bytes - 1) / 4; ++w)
                    words[w % 32].insert(w);
        std::size_t most = 0;
        for (const auto& bank : words) most = std::max(most, bank.size());
        total += static_cast<std::int64_t>(most);
    }
    return total;
}

std::int64_t Request::ideal_wavefronts() const
{
    if (bytes > 16)
        return std::int64_t{std::popcount(lanes)} * ((bytes + 127) / 128); // of the copy engine: all banks at once
    const std::size_t phase = lanes_of_a_phase(bytes);
    std::int64_t total = 0;
    for (std::size_t first = 0; first < 32; first += phase)
        total += (lanes >> first & (phase == 32 ? ~0u : (1u << phase) - 1)) != 0;
    return total;
}

void Requests::add(unsigned lane, const Place& place, Kind kind, const void* buffer, std::uint64_t address,
                   unsigned bytes)
{
    const Stream stream{place, kind, buffer};
    const unsigned occurrence = occurrences_[lane][stream]++;
    const auto [it, fresh] = index_.try_emplace({stream, occurrence}, requests_.size());
    if (fresh) {
        Request request;
        request.place = place;
        request.kind = kind;
        request.shared = buffer == nullptr;
        request.bytes = bytes;
        requests_.push_back(request);
    }
    Request& request = requests_[it->second];
    request.lanes |= 1u << lane;
    request.address[lane] = address;
    request.order = std::max(request.order, sequence_[lane]++);
}

std::vector<Request> Requests::take()
{
    std::stable_sort(requests_.begin(), requests_.end(),
                     [](const Request& a, const Request& b) { return a.order < b.order; });
    index_.clear();
    for (auto& lane : occurrences_) lane.clear();
    sequence_ = {};
    return std::exchange(requests_, {});
}

} // namespace headroom::cuda::tracer
