#include "reference/attention/attention.h"
#include "tutorials/05_sharing_heads/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    using namespace headroom;
    Examiner examiner;

    // Each KV head hands over its own number; the reference says which one arrives at which query head.
    for (const auto& [H, Hkv] : {std::pair<Index, Index>{4, 4}, {4, 1}, {4, 2}, {6, 2}, {32, 4}, {12, 3}}) {
        const Tensor q({1, H, 1, 1}, 1.0), k({1, Hkv, 1, 1}, 1.0);
        Tensor v({1, Hkv, 1, 1});
        for (Index hkv = 0; hkv < Hkv; ++hkv) v(0, hkv, 0, 0) = static_cast<double>(hkv);
        const Index length = 1;
        const KvView kv{.k = view(k), .v = view(v), .sequences = 1, .length = &length};
        const AttentionStages stages = attention({.q = view(q), .kv = kv, .options = {}});
        for (Index h = 0; h < H; ++h)
            examiner.near("with H = " + std::to_string(H) + " and Hkv = " + std::to_string(Hkv) +
                              ", the KV head of query head " + std::to_string(h),
                          static_cast<double>(kv_head_of(h, H, Hkv)), stages.output(0, h, 0, 0));
    }
    return examiner.verdict("neighbours share: the first H / Hkv query heads read KV head 0.\n");
}
