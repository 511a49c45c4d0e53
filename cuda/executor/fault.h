// What a kernel did wrong: in which block, by which thread, at which line, and who waited where.
#pragma once
#include <stdexcept>

namespace headroom::cuda {

struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace headroom::cuda
