// Watches kernels that were compiled with -fsanitize=thread: the compiler calls us for every load and store, and we
// answer in place of ThreadSanitizer. What a warp asked of memory, and what was wrong with it, becomes a KernelTrace.
#pragma once
#include "cuda/executor/host_memory.h"
#include "cuda/executor/simt/block.h"
#include "cuda/executor/simt/observer.h"
#include "cuda/executor/tracer/requests.h"
#include "cuda/executor/tracer/shadow.h"
#include "reference/contract/kernel_trace.h"
#include <set>

namespace headroom::cuda {

class Tracer : public simt::Observer {
public:
    // Events are kept of the first so many blocks of each launch; counters and faults of all.
    Tracer(const HostMemory& memory, unsigned event_blocks);

    void begin(std::string_view kernel, const LaunchShape& shape);
    void initialised(const void* address, std::size_t bytes); // by a copy from the host
    void forget(const void* buffer);                          // it is released
    KernelTrace take();                                       // since begin

    // An ordinary access of the current thread, from the instruction before `code`.
    void plain_access(const void* address, std::size_t bytes, bool writes, const void* code);

    void block_begins(simt::Block& block) override;
    void block_ends(simt::Block& block) override;
    void lanes_met(simt::Block& block, simt::Op op, unsigned warp, std::uint32_t lanes, simt::Site site) override;
    void barrier_opened(simt::Block& block, std::uint32_t warps) override;
    void access(simt::Lane& lane, const void* address, std::size_t bytes, bool writes, simt::Site site) override;
    void atomic_access(simt::Lane& lane, const void* address, std::size_t bytes) override;
    void copy(simt::Lane& lane, const void* to, std::size_t bytes, bool landed, simt::Site site) override;
    void released(simt::Lane& lane, const void* mbarrier) override { clocks_.release(lane.thread, mbarrier); }
    void acquired(simt::Lane& lane, const void* mbarrier) override { clocks_.acquire(lane.thread, mbarrier); }
    void rows_read(simt::Lane& lane, std::span<const void* const> rows, std::size_t bytes_each,
                   simt::Site site) override;
    void copied(simt::Block& block, const void* to, std::size_t bytes) override;

private:
    void record(simt::Lane& lane, const tracer::Place& place, const void* address, std::size_t bytes,
                tracer::Kind kind);
    void check_shared(simt::Lane& lane, const tracer::Place& place, std::size_t offset, std::size_t bytes, bool writes);
    void check_global(simt::Lane& lane, const tracer::Place& place, const void* address, std::size_t bytes,
                      bool writes);
    void fault(const tracer::Place& place, const simt::Lane& lane, const std::string& what);
    void flush(unsigned warp);
    void account(unsigned warp, const tracer::Request& request);
    void count_for_block(int buffer, const tracer::Request& request);
    int site(const tracer::Place& place, Op op, Space space, int buffer);
    int buffer_of(std::uint64_t address);

    struct Found {
        tracer::Place place;
        std::string where, what;
    };
    const HostMemory& memory_;
    unsigned event_blocks_;
    KernelTrace trace_;
    std::vector<tracer::Place> places_; // of the sites
    std::map<std::tuple<tracer::Place, Op, Space, int>, int> site_index_;
    std::map<const std::byte*, int> buffers_;
    std::map<const std::byte*, std::vector<bool>> initialised_; // [bytes] of each buffer
    std::vector<Found> faults_;
    std::set<tracer::Place> faulty_; // one fault a place is enough

    simt::Block* block_ = nullptr;
    unsigned block_number_ = 0;
    std::vector<tracer::Requests> warps_;
    std::map<int, TracedBlock> traffic_; // of the block that runs, by buffer
    tracer::Shadow shadow_;
    tracer::Clocks clocks_;
};

// Where the compiler's calls go; null: nowhere.
extern thread_local Tracer* active_tracer;

} // namespace headroom::cuda
