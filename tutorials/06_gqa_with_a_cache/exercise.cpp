#include "tutorials/06_gqa_with_a_cache/exercise.h"

#include "reference/attention/repeat_heads.h"

using namespace headroom;

namespace {

Tensor concat(const Tensor& past, const Tensor& added) // along the tokens
{
    const Index heads = added.extent(1), N = past.extent(2) + added.extent(2), D = added.extent(3);
    Tensor all({1, heads, N, D});
    for (Index h = 0; h < heads; ++h)
        for (Index j = 0; j < N; ++j)
            for (Index d = 0; d < D; ++d)
                all(0, h, j, d) = j < past.extent(2) ? past(0, h, j, d) : added(0, h, j - past.extent(2), d);
    return all;
}

} // namespace

Keys step(const Tensor& past, const Tensor& added, Index group_size)
{
    // TODO: a published module did this. The first answer is right; what has the cache saved, and what happens next?
    const Tensor all = repeat_interleave(concat(past, added), group_size);
    return {all, all};
}
