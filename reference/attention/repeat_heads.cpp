#include "reference/attention/repeat_heads.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

// Head h of the result is head source(h) of kv.
template <class Source> Tensor copy_heads(const Tensor& kv, Index group_size, Source source)
{
    if (kv.shape().size() != 4) throw std::invalid_argument("kv " + to_text(kv.shape()) + " must be [B, Hkv, S, D]");
    if (group_size < 1) throw std::invalid_argument("group_size " + std::to_string(group_size) + " must be at least 1");
    const Index B = kv.extent(0), H = kv.extent(1) * group_size, S = kv.extent(2), D = kv.extent(3);
    Tensor repeated({B, H, S, D});
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index j = 0; j < S; ++j) std::ranges::copy(kv.row(b, source(h), j), repeated.row(b, h, j).begin());
    return repeated;
}

} // namespace

Tensor repeat_interleave(const Tensor& kv, Index group_size)
{
    return copy_heads(kv, group_size, [group_size](Index h) { return h / group_size; });
}

Tensor mistakes::repeat(const Tensor& kv, Index group_size)
{
    return copy_heads(kv, group_size, [&kv](Index h) { return h % kv.extent(1); });
}

} // namespace headroom
