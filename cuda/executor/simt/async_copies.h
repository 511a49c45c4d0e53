// cp.async: the copies each thread has started, and a shadow cell per 16 bytes of shared memory that knows who brought
// its contents and when, so that a read without wait or without barrier is found however the copy happened to land.
#pragma once
#include "cuda/executor/simt/lane.h"
#include "cuda/executor/simt/shared_memory.h"
#include <vector>

namespace headroom::cuda::simt {

class AsyncCopies {
public:
    struct Copy {
        std::byte* to;
        const std::byte* from;
        unsigned bytes;
        bool wanted; // else zeroes
    };

    explicit AsyncCopies(bool eager) : eager_(eager), cells_(SharedMemory::limit / cell_bytes) {}
    void clear(unsigned threads);

    void issue(Lane& lane, const Copy& copy, Site site);
    void commit(Lane& lane) { ++threads_[lane.thread].groups; }
    void wait(Lane& lane, unsigned newest, Site site);
    bool idle(const Lane& lane) const { return threads_[lane.thread].pending.empty(); }

    void check_read(Lane& lane, const void* address, std::size_t bytes, Site site); // fails on a race

private:
    static constexpr std::size_t cell_bytes = 16;
    struct Pending {
        Copy copy;
        unsigned group;
    };
    struct Thread {
        std::vector<Pending> pending; // oldest first
        unsigned groups = 0;
    };
    struct Cell {
        std::uint32_t block = 0; // the run it belongs to
        std::uint32_t epoch = 0; // of the warp, when it landed
        std::uint16_t thread = 0;
        bool landed = false;
    };
    static void perform(const Copy& copy);
    void mark(Lane& lane, const Copy& copy, bool landed);

    bool eager_;
    std::uint32_t block_ = 0;
    bool used_ = false;
    std::vector<Thread> threads_;
    std::vector<Cell> cells_;
};

} // namespace headroom::cuda::simt
