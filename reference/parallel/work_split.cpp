#include "reference/parallel/work_split.h"

#include "reference/parallel/kernels/kernels.h"
#include "reference/parallel/rounding.h"
#include <algorithm>

namespace headroom::parallel {
namespace {

constexpr Index shares_per_thread = 16;
constexpr Index fewest_keys_of_a_part = 4 * tile_keys;

} // namespace

Work split(const AttentionProblem& p, const AttentionShape& s, int threads)
{
    const Index group = s.group_size();
    const Index queries = std::max<Index>(1, rows_of_a_block / group);
    Work work;
    Index keys = 0;
    for (Index b = 0; b < s.B; ++b)
        for (Index first = (s.L - 1) / std::max<Index>(queries, 1) * queries; first >= 0 && s.L > 0; first -= queries) {
            const Index last = std::min(first + queries, s.L); // the last queries see most: they come first
            const VisibleKeys visible = visible_keys(p, b, first, last);
            for (Index hkv = 0; hkv < s.Hkv; ++hkv) work.blocks.push_back({b, hkv, first, last, visible, 1, 0});
            keys += visible.count() * s.Hkv;
            work.multiply_adds += visible.count() * s.H * (last - first) * (s.D + s.Dv);
        }

    if (work.multiply_adds < worth_a_thread) threads = 1;
    // A thread goes on where it has just read. Its large shares come first; small ones are left at the end, and go to others
    // if it has been held up.
    const Index smallest = std::max(fewest_keys_of_a_part, rounded_up(keys / (threads * shares_per_thread), tile_keys));
    work.begins.reserve(static_cast<std::size_t>(threads));
    work.begins.push_back(0);
    Index own = keys / threads, others = keys - own;
    for (Index n = 0; n < static_cast<Index>(work.blocks.size()); ++n) {
        QueryBlock& block = work.blocks[static_cast<std::size_t>(n)];
        block.part_one = static_cast<Index>(work.shares.size());
        const Index count = block.keys.count();
        Index from = 0;
        do {
            const Index part = std::max(smallest, rounded_up(own / 2, tile_keys));
            const Index to = threads == 1 || count - from < part + smallest / 2 ? count : from + part;
            work.shares.push_back({n, from, to});
            own -= to - from;
            from = to;
            for (Index left; own < smallest / 2 && (left = threads - static_cast<Index>(work.begins.size())) > 0;) {
                work.begins.push_back(static_cast<Index>(work.shares.size()));
                own += others / left, others -= others / left;
            }
        } while (from < count);
        block.parts = static_cast<Index>(work.shares.size()) - block.part_one;
    }
    work.begins.resize(static_cast<std::size_t>(threads), static_cast<Index>(work.shares.size()));
    return work;
}

} // namespace headroom::parallel
