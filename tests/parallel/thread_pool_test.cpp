#include "reference/parallel/thread_pool.h"

#include "tests/support/catch.h"
#include <algorithm>
#include <stdexcept>

using namespace headroom;
using parallel::ThreadPool;

TEST_CASE("every item is done exactly once, run after run")
{
    ThreadPool pool(4);
    for (Index items = 0; items < 200; ++items) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(items));
        pool.run(items, [&](Index item, int thread) {
            if (thread >= 0 && thread < 4) ++done[static_cast<std::size_t>(item)];
        });
        bool once = true;
        for (const auto& each : done) once = once && each == 1;
        CHECK(once);
    }
}

TEST_CASE("a thread takes its own items in order, then the last of those that others have left")
{
    ThreadPool pool(3);
    const std::vector<Index> begins{0, 70, 75, 100};
    for (int again = 0; again < 50; ++again) {
        std::vector<std::vector<Index>> taken(3);
        pool.run(
            100,
            [&](Index item, int thread) {
                taken[static_cast<std::size_t>(thread)].push_back(item);
                for (std::atomic<int> busy = 0; busy < 100;) ++busy;
            },
            std::span(begins).first(3));
        for (std::size_t t = 0; t < 3; ++t) {
            const auto own = [&](Index item) { return begins[t] <= item && item < begins[t + 1]; };
            const auto others = std::ranges::find_if_not(taken[t], own);
            CHECK(std::is_sorted(taken[t].begin(), others));
            CHECK(std::none_of(others, taken[t].end(), own));
            for (std::size_t from = 0; from < 3; ++from) { // one other after the next, each from its end
                std::vector<Index> left;
                std::copy_if(others, taken[t].end(), std::back_inserter(left),
                             [&](Index item) { return begins[from] <= item && item < begins[from + 1]; });
                CHECK(std::is_sorted(left.rbegin(), left.rend()));
            }
        }
    }
}

TEST_CASE("threads that begin nowhere are refused")
{
    ThreadPool pool(3);
    const std::vector<Index> begins{0, 5};
    CHECK_THROWS_WITH(pool.run(
                          10, [](Index, int) {}, begins),
                      "3 threads cannot begin at 2 items");
}

TEST_CASE("a run inside a run, and runs of several callers, are done all the same")
{
    ThreadPool pool(3);
    std::atomic<int> done = 0;
    pool.run(8, [&](Index, int) { pool.run(5, [&](Index, int) { ++done; }); });
    CHECK(done == 40);

    std::vector<std::thread> callers;
    for (int n = 0; n < 3; ++n)
        callers.emplace_back([&] {
            for (int again = 0; again < 50; ++again) pool.run(7, [&](Index, int) { ++done; });
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(done == 40 + 3 * 50 * 7);
}

TEST_CASE("what a task throws reaches the caller, and the pool goes on")
{
    ThreadPool pool(2);
    CHECK_THROWS_WITH(pool.run(100,
                               [](Index item, int) {
                                   if (item == 13) throw std::runtime_error("thirteen");
                               }),
                      "thirteen");
    std::atomic<int> done = 0;
    pool.run(10, [&](Index, int) { ++done; });
    CHECK(done == 10);
}
