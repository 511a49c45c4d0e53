// Runs a kernel of lanes.inc on every executor and hands each result to a check.
#pragma once
#include "tests/cuda/primitives/lanes.h"
#include "tests/cuda/support/executors.h"
#include "tests/support/catch.h"

#include <random>

namespace headroom::cuda {

using Words = std::vector<std::uint32_t>; // [threads, 8]

inline Words random_words(unsigned threads, std::uint32_t seed)
{
    std::mt19937 random(seed);
    Words words(8 * threads);
    for (std::uint32_t& w : words) w = static_cast<std::uint32_t>(random());
    return words;
}

template <class Check> void on_every_executor(const Kernel<Lanes>& kernel, const Words& in, Check&& check)
{
    const unsigned threads = static_cast<unsigned>(in.size() / 8);
    for (const NamedExecutor& named : every_executor()) {
        INFO(named.name << ", " << kernel.name);
        const std::unique_ptr<Executor> executor = named.make();
        Buffer<std::uint32_t> from(*executor, std::span<const std::uint32_t>(in), "in");
        const Words zero(in.size(), 0);
        Buffer<std::uint32_t> to(*executor, std::span<const std::uint32_t>(zero), "out");
        launch(*executor, kernel, {.block = {threads}}, {from.data(), to.data()});
        check(to.read());
    }
}

// Calls check(lane, word i of that lane) for all words that are given.
inline void expect_words(const Kernel<Lanes>& kernel, const Words& in, const Words& expected, unsigned words_per_lane)
{
    on_every_executor(kernel, in, [&](const Words& out) {
        for (std::size_t lane = 0; lane < in.size() / 8; ++lane)
            for (std::size_t i = 0; i < words_per_lane; ++i) {
                INFO("lane " << lane << ", word " << i);
                REQUIRE(out[8 * lane + i] == expected[8 * lane + i]);
            }
    });
}

} // namespace headroom::cuda
