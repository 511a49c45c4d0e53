#include "experiments/record_checks.h"

namespace headroom {

const std::vector<Case>& example_cases()
{
    static const std::vector<Case> list{
        {"GQA of 8 on 2 heads, 24 keys, f32", {.H = 8, .Hkv = 2, .L = 1, .S = 24, .D = 64, .seed = 3}},
        {"GQA of 8 on 2 heads, 4 queries, 40 keys, bf16",
         {.H = 8, .Hkv = 2, .L = 4, .S = 40, .D = 64, .type = DType::bf16, .q_type = DType::bf16, .seed = 5}}};
    return list;
}

} // namespace headroom
