// How many numbers a model's weights are and how many bytes they take, from the same config.json as its cache.
#pragma once
#include "reference/tensor/tensor.h"
#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct Parameters {
    std::optional<Index> total; // empty: see reason
    Index active = 0;           // read for one token: the chosen experts only, one row of the input embedding
    std::string reason;         // why total is empty
    std::string stored_as;      // the file's dtype ("bfloat16"), or "bfloat16" where it names none
    bool quantised = false;     // the file names a quantisation: bytes depend on it
    std::vector<std::string> derivation;
};

} // namespace headroom
