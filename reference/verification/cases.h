// The named problems on which every implementation is checked, and random ones within what an implementation claims.
#pragma once
#include "reference/contract/implementation.h"
#include "reference/verification/recipe.h"

namespace headroom {

struct Case {
    std::string name; // "GQA 8/2, D 80, lengths 0 1 63 64 65, window 16, bf16"
    Recipe recipe;
    bool quick = false; // also in the subset that `tour` runs
};
const std::vector<Case>& cases();

Recipe every_feature(const Claims& claims, std::uint64_t seed); // random, and within the claims

} // namespace headroom
