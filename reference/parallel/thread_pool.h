// Threads that stay: they wait for work, first awake, then asleep. What a grid of blocks is to a kernel.
#pragma once
#include "reference/tensor/tensor.h"
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>

namespace headroom::parallel {

class ThreadPool {
public:
    explicit ThreadPool(int threads); // the one that calls run() is one of them
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    using Task = std::function<void(Index item, int thread)>;

    // task(0 … items - 1, thread), each once; returns when all are done. A thread takes items that follow each other, for
    // what one reads is often followed by what the next one does; then those that others have left, their last ones first.
    // `begins`: where each thread begins, the first at 0; without it, all with equally many. Throws what a task threw.
    // While another run is under way, even one that calls this, the caller does all of it alone.
    void run(Index items, const Task& task, std::span<const Index> begins = {});

    int threads() const { return static_cast<int>(workers_.size()) + 1; }

private:
    struct alignas(64) Items { // of one thread: [first, last) are left
        std::mutex taking;
        Index first = 0, last = 0;
    };
    bool take(int thread, Index& item);
    void work(int thread) noexcept;
    void serve(int thread);
    bool join();
    void leave() { state_.fetch_sub(one_worker, std::memory_order_release); }

    static constexpr unsigned open = 1, one_worker = 2;
    std::atomic<bool> running_{false};
    const Task* task_ = nullptr;
    std::vector<Items> items_; // [threads]
    std::exception_ptr failure_;
    std::mutex failing_;
    std::atomic<bool> failed_{false};
    std::atomic<unsigned> state_{0};      // open, and the workers that have joined
    std::atomic<unsigned> generation_{0}; // counts runs: what workers wait for
    std::atomic<bool> closing_{false};
    std::vector<std::thread> workers_;
};

// The pool of so many threads, 0: one for each core. It is made when it is first asked for, and stays.
ThreadPool& thread_pool(int threads = 0);

} // namespace headroom::parallel
