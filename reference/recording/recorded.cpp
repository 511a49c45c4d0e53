#include "reference/recording/recorded.h"

#include <algorithm>
#include <utility>

namespace headroom {

RecordedLayer record_layer(Index layer, const AttentionProblem& p, AttentionStages stages)
{
    const AttentionShape shape = check(p);
    RecordedLayer kept{.layer = layer,
                       .q = load(p.q),
                       .new_k = Tensor({shape.B, shape.Hkv, shape.L, shape.D}),
                       .new_v = Tensor({shape.B, shape.Hkv, shape.L, shape.Dv}),
                       .key_position = Tensor({shape.B, shape.S}, -1),
                       .stages = std::move(stages)};
    for (Index b = 0; b < shape.B; ++b) {
        const Index first_new = p.kv.length[b] - (p.query_length ? p.query_length[b] : shape.L);
        for (Index j = 0; j < p.kv.length[b]; ++j) {
            kept.key_position(b, j) = static_cast<double>(position(p.kv, b, j));
            if (j < first_new) continue;
            const Place at = place(p.kv, b, j);
            for (Index hkv = 0; hkv < shape.Hkv; ++hkv) {
                for (Index d = 0; d < shape.D; ++d)
                    kept.new_k(b, hkv, j - first_new, d) = value(p.kv.k, at.block, hkv, at.slot, d);
                for (Index d = 0; d < shape.Dv; ++d)
                    kept.new_v(b, hkv, j - first_new, d) = value(p.kv.v, at.block, hkv, at.slot, d);
            }
        }
    }
    return kept;
}

void record_slots(const KvView& kv, RecordedStep& into)
{
    const Index longest = kv.sequences ? *std::max_element(kv.length, kv.length + kv.sequences) : 0;
    into.slot = Tensor({kv.sequences, longest}, -1);
    into.position = Tensor({kv.sequences, longest}, -1);
    into.slots = kv.k.extent[0] * kv.k.extent[2];
    into.block = kv.block_table ? kv.k.extent[2] : 0;
    for (Index b = 0; b < kv.sequences; ++b)
        for (Index j = 0; j < kv.length[b]; ++j) {
            const Place at = place(kv, b, j);
            into.slot(b, j) = static_cast<double>(at.block * kv.k.extent[2] + at.slot);
            into.position(b, j) = static_cast<double>(position(kv, b, j));
        }
}

AttentionFunction recorded(AttentionFunction attention, std::vector<RecordedLayer>& into, std::vector<Index> layers)
{
    return [attention = std::move(attention), &into, layers = std::move(layers),
            layer = Index{0}](const AttentionProblem& p) mutable {
        AttentionStages stages = attention(p);
        if (std::ranges::count(layers, layer)) into.push_back(record_layer(layer, p, stages));
        ++layer;
        return stages;
    };
}

} // namespace headroom
