#include "reference/contract/problem.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace headroom {

AttentionShape check(const AttentionProblem& p)
{
    Index S = 0;
    for (Index b = 0; b < p.kv.sequences; ++b) S = std::max(S, p.kv.length[b]);
    const AttentionShape shape{p.q.extent[0], p.q.extent[1],   p.kv.k.extent[1], p.q.extent[2], S,
                               p.q.extent[3], p.kv.v.extent[3]};
    if (shape.Hkv == 0 || shape.H % shape.Hkv != 0)
        throw std::invalid_argument("q has " + std::to_string(shape.H) + " heads, not a multiple of k's " +
                                    std::to_string(shape.Hkv));
    if (p.kv.k.extent[3] != shape.D)
        throw std::invalid_argument("k has head_dim " + std::to_string(p.kv.k.extent[3]) + ", q has " +
                                    std::to_string(shape.D));
    return shape;
}

std::span<const Stage> stages()
{
    using A = AttentionStages;
    static constexpr std::array list{
        Stage{"scores", "B H L S", &A::scores},   Stage{"masked_scores", "B H L S", &A::masked_scores},
        Stage{"row_max", "B H L", &A::row_max},   Stage{"row_sum", "B H L", &A::row_sum},
        Stage{"weights", "B H L S", &A::weights}, Stage{"output", "B H L Dv", &A::output},
        Stage{"lse", "B H L", &A::lse},
    };
    return list;
}

} // namespace headroom
