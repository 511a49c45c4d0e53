#include "reference/parallel/thread_pool.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace headroom::parallel {
namespace {

constexpr int patience = 20000; // looks before falling asleep: some 100 us, longer than the gap between two layers

void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

ThreadPool::ThreadPool(int threads) : items_(static_cast<std::size_t>(std::max(threads, 1)))
{
    for (int thread = 1; thread < threads; ++thread) workers_.emplace_back([this, thread] { serve(thread); });
}

ThreadPool::~ThreadPool()
{
    closing_ = true;
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(Index items, const Task& task, std::span<const Index> begins)
{
    if (!begins.empty() && begins.size() != items_.size())
        throw std::invalid_argument(std::to_string(items_.size()) + " threads cannot begin at " +
                                    std::to_string(begins.size()) + " items");
    if (workers_.empty() || items <= 1 || running_.exchange(true, std::memory_order_acquire)) {
        for (Index item = 0; item < items; ++item) task(item, 0);
        return;
    }
    task_ = &task;
    failed_ = false;
    const Index threads = this->threads();
    for (Index t = 0; t < threads; ++t) {
        const auto begin = [&](Index n) {
            if (n == threads) return items;
            return begins.empty() ? items * n / threads : begins[static_cast<std::size_t>(n)];
        };
        Items& own = items_[static_cast<std::size_t>(t)];
        own.first = begin(t), own.last = begin(t + 1);
    }
    state_.store(open, std::memory_order_release);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    work(0);

    // Who has not joined by now is not waited for.
    state_.fetch_and(~open, std::memory_order_acquire);
    for (int look = 0; state_.load(std::memory_order_acquire) != 0; ++look)
        look < patience ? pause() : std::this_thread::yield();
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    running_.store(false, std::memory_order_release);
    if (failure) std::rethrow_exception(failure);
}

bool ThreadPool::take(int thread, Index& item)
{
    const int threads = this->threads();
    for (int n = 0; n < threads && !failed_; ++n) {
        Items& from = items_[static_cast<std::size_t>((thread + n) % threads)];
        const std::scoped_lock lock(from.taking);
        if (from.first == from.last) continue;
        item = n == 0 ? from.first++ : --from.last;
        return true;
    }
    return false;
}

void ThreadPool::work(int thread) noexcept
{
    for (Index item; take(thread, item);) {
        try {
            (*task_)(item, thread);
        } catch (...) {
            const std::scoped_lock lock(failing_);
            if (!failure_) failure_ = std::current_exception();
            failed_ = true;
        }
    }
}

bool ThreadPool::join()
{
    unsigned state = state_.load(std::memory_order_relaxed);
    while (state & open)
        if (state_.compare_exchange_weak(state, state + one_worker, std::memory_order_acquire)) return true;
    return false;
}

void ThreadPool::serve(int thread)
{
    unsigned seen = 0;
    while (true) {
        for (int look = 0; generation_.load(std::memory_order_acquire) == seen; ++look)
            look < patience ? pause() : generation_.wait(seen);
        seen = generation_.load(std::memory_order_acquire);
        if (closing_) return;
        if (join()) {
            work(thread);
            leave();
        }
    }
}

ThreadPool& thread_pool(int threads)
{
    if (threads < 0) throw std::invalid_argument("threads is " + std::to_string(threads) + "; 0 means one per core");
    static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency())); // asking takes 5 µs
    if (threads == 0) threads = cores;
    static std::mutex guard;
    static std::map<int, std::unique_ptr<ThreadPool>> pools;
    const std::scoped_lock lock(guard);
    auto& pool = pools[threads];
    if (!pool) pool = std::make_unique<ThreadPool>(threads);
    return *pool;
}

} // namespace headroom::parallel
