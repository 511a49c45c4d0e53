#include "reference/parallel/work_split.h"

#include "reference/parallel/kernels/kernels.h"
#include "tests/support/catch.h"
#include <algorithm>

using namespace headroom;
using namespace headroom::parallel;

namespace {

// Queries and a dense cache of so many tokens; nothing is read of either.
AttentionProblem problem_of(Index B, Index H, Index Hkv, Index L, Index S, const std::vector<Index>& lengths)
{
    static std::byte nothing[1];
    AttentionProblem p;
    p.q = dense_view(nothing, {B, H, L, 64}, DType::f32);
    p.kv.k = dense_view(nothing, {B, Hkv, S, 64}, DType::f32);
    p.kv.v = p.kv.k;
    p.kv.length = lengths.data();
    p.kv.sequences = B;
    return p;
}

} // namespace

TEST_CASE("what is not worth a second thread is left to one, and not split")
{
    const std::vector<Index> lengths{520};
    const AttentionProblem little = problem_of(1, 8, 1, 1, 520, lengths), more = problem_of(1, 32, 1, 1, 520, lengths);
    CHECK(split(little, check(little), 8).begins.size() == 1);
    CHECK(split(little, check(little), 8).shares.size() == 1);
    CHECK(split(more, check(more), 8).begins.size() == 8);
    CHECK(split(more, check(more), 8).shares.size() == 1); // too few keys to be merged
}

TEST_CASE("every key of every block is in one share, and each thread begins with about as many")
{
    int split_blocks = 0, idle = 0;
    for (const int threads : {1, 2, 3, 8, 61})
        for (const Index B : {1, 5})
            for (const Index L : {1, 700})
                for (const Index S : {700, 4096, 40000}) {
                    std::vector<Index> lengths;
                    for (Index b = 0; b < B; ++b) lengths.push_back(S - b * S / 9);
                    const AttentionProblem p = problem_of(B, 12, 3, L, S, lengths);
                    const Work work = split(p, check(p), threads);
                    INFO(threads << " threads, B " << B << ", L " << L << ", S " << S);

                    Index all = 0, share = 0;
                    std::vector<Index> before{0}; // each share: keys of those before it
                    bool complete = true, worth_it = true;
                    for (Index n = 0; n < static_cast<Index>(work.blocks.size()); ++n) {
                        const QueryBlock& block = work.blocks[static_cast<std::size_t>(n)];
                        complete = complete && block.part_one == share;
                        Index from = 0;
                        for (const Index end = share + block.parts; share < end; ++share) {
                            const Share& s = work.shares.at(static_cast<std::size_t>(share));
                            complete = complete && s.block == n && s.from == from && s.to >= s.from;
                            worth_it = worth_it && (block.parts == 1 || s.to - s.from >= 2 * tile_keys);
                            from = s.to;
                            before.push_back(all + from);
                        }
                        complete = complete && from == block.keys.count();
                        all += from;
                        split_blocks += block.parts > 1;
                    }
                    CHECK(complete);
                    CHECK(worth_it); // no part so small that merging costs more than it brings
                    CHECK(share == static_cast<Index>(work.shares.size()));

                    REQUIRE(work.begins.size() == static_cast<std::size_t>(threads));
                    CHECK(work.begins.front() == 0);
                    CHECK(std::is_sorted(work.begins.begin(), work.begins.end()));
                    // A share may take the rest of its block along, of half as many keys.
                    const Index largest_rest = std::max<Index>(4 * tile_keys, all / threads / 16 + tile_keys) * 3 / 2;
                    for (int t = 0; t < threads; ++t) {
                        const Index begin = work.begins[static_cast<std::size_t>(t)];
                        idle += begin == share;
                        CHECK(std::abs(before.at(static_cast<std::size_t>(begin)) - all * t / threads) <= largest_rest);
                    }
                }
    CHECK(split_blocks > 0);
    CHECK(idle > 0); // more threads than shares
}
