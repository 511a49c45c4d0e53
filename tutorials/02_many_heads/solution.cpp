#include "tutorials/02_many_heads/exercise.h"

headroom::Tensor join_heads(const headroom::Tensor& output) // [1, H, L, D] -> [L, H D]
{
    const headroom::Index H = output.extent(1), L = output.extent(2), D = output.extent(3);
    headroom::Tensor rows({L, H * D});
    // In memory the heads lie behind one another, and each holds all tokens. A token's row takes its part of every head.
    for (headroom::Index i = 0; i < L; ++i)
        for (headroom::Index h = 0; h < H; ++h)
            for (headroom::Index d = 0; d < D; ++d) rows(i, h * D + d) = output(0, h, i, d);
    return rows;
}
