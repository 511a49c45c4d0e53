#include "reference/decoder/slot_positions.h"

namespace headroom {

std::vector<Index> slots_of_queries(const KvView& kv, std::span<const Index> new_tokens, Index longest)
{
    std::vector<Index> slots(new_tokens.size() * static_cast<std::size_t>(longest));
    for (Index b = 0; b < kv.sequences; ++b) {
        const Index n = new_tokens[static_cast<std::size_t>(b)];
        for (Index i = 0; i < n; ++i) slots[static_cast<std::size_t>(b * longest + i)] = kv.length[b] - n + i;
    }
    return slots;
}

Tensor keys_turned_by_slot(const KvView& kv, const RopeTable& table, RopeLayout layout)
{
    const Index* extent = kv.k.extent;
    Tensor turned({extent[0], extent[1], extent[2], extent[3]});
    for (Index b = 0; b < kv.sequences; ++b)
        for (Index j = 0; j < kv.length[b]; ++j) {
            const Place at = place(kv, b, j);
            for (Index h = 0; h < extent[1]; ++h) {
                const std::span<double> key = turned.row(at.block, h, at.slot);
                read_row(kv.k, at.block, h, at.slot, key);
                table.rotate(key, j, layout);
            }
        }
    return turned;
}

} // namespace headroom
