// From the accesses of single lanes to what a warp asks of memory at once: sectors of 32 bytes of global memory, and
// wavefronts of shared memory, where a bank (of 32, four bytes wide) serves one word at a time.
#pragma once
#include "cuda/executor/simt/site.h"
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace headroom::cuda::tracer {

// Where an access was made: a line that is known, or an address of code whose line is looked up at the end.
struct Place {
    simt::Site site;
    const void* code = nullptr;
    friend auto operator<=>(const Place& a, const Place& b)
    {
        if (a.code != b.code) return a.code <=> b.code;
        if (a.site.file != b.site.file) return a.site.file <=> b.site.file;
        return a.site.line <=> b.site.line;
    }
    friend bool operator==(const Place& a, const Place& b) { return (a <=> b) == 0; }
};

enum class Kind : std::uint8_t { load, store, copy };

struct Request { // one instruction of one warp
    Place place;
    Kind kind;
    bool shared;
    unsigned bytes = 0; // of each lane
    std::uint32_t lanes = 0;
    unsigned order = 0;
    std::array<std::uint64_t, 32> address = {};

    std::int64_t sectors() const;
    std::int64_t ideal_sectors() const; // if all that was asked for lay together
    std::int64_t wavefronts() const;
    std::int64_t ideal_wavefronts() const;
};

// Gathers what the lanes of one warp do between two meetings: the n-th access of each lane at a place to a buffer belong
// together.
class Requests {
public:
    // buffer: where it begins; null: shared memory.
    void add(unsigned lane, const Place& place, Kind kind, const void* buffer, std::uint64_t address, unsigned bytes);
    std::vector<Request> take(); // in order

private:
    using Stream = std::tuple<Place, Kind, const void*>;
    std::vector<Request> requests_;
    std::map<std::pair<Stream, unsigned>, std::size_t> index_; // and occurrence
    std::array<std::map<Stream, unsigned>, 32> occurrences_;
    std::array<unsigned, 32> sequence_ = {};
};

} // namespace headroom::cuda::tracer
