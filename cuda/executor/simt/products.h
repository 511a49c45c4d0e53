// wgmma: matrix products that a warp has started and not waited for. Each warp computes the 16 rows it owns; lazily, at
// the wait (so that operands overwritten too early are wrong), or at once.
#pragma once
#include "cuda/executor/simt/lane.h"
#include <functional>
#include <string>
#include <vector>

namespace headroom::cuda::simt {

class Products {
public:
    explicit Products(bool eager) : eager_(eager) {}
    void clear(unsigned warps);

    // Called once per warp, when its lanes have met.
    void issue(unsigned warp, std::function<void()> multiply);
    void commit(unsigned warp) { ++warps_[warp].groups; }
    void wait(unsigned warp, unsigned newest);
    std::string unfinished() const; // what is wrong at the end of the block; empty: nothing

private:
    struct Pending {
        std::function<void()> multiply;
        unsigned group;
    };
    struct Warp {
        std::vector<Pending> pending;
        unsigned groups = 0, issued = 0;
    };
    bool eager_;
    std::vector<Warp> warps_;
};

} // namespace headroom::cuda::simt
