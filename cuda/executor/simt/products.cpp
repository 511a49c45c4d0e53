#include "cuda/executor/simt/products.h"

namespace headroom::cuda::simt {

void Products::clear(unsigned warps) { warps_.assign(warps, {}); }

void Products::issue(unsigned warp, std::function<void()> multiply)
{
    Warp& w = warps_[warp];
    ++w.issued;
    if (eager_) {
        multiply();
        multiply = [] {};
    }
    w.pending.push_back({std::move(multiply), w.groups});
}

void Products::wait(unsigned warp, unsigned newest)
{
    Warp& w = warps_[warp];
    std::size_t done = 0;
    for (; done < w.pending.size() && w.pending[done].group + newest < w.groups; ++done) w.pending[done].multiply();
    w.pending.erase(w.pending.begin(), w.pending.begin() + static_cast<std::ptrdiff_t>(done));
}

std::string Products::unfinished() const
{
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        if (!warps_[w].pending.empty())
            return "warp " + std::to_string(w) + " ended with a wgmma that it never waited for";
        if (warps_[w].issued != warps_[w / 4 * 4].issued)
            return "the four warps of a warpgroup did not start the same number of wgmma";
    }
    return {};
}

} // namespace headroom::cuda::simt
