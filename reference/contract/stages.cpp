// The list of stages.
#include "reference/contract/problem.h"

#include <array>

namespace headroom {

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
