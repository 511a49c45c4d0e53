#include "cuda/executor/simt/site.h"

#include <string_view>

namespace headroom::cuda::simt {

std::string to_text(const Site& site)
{
    std::string_view file = site.file;
    if (const auto slash = file.rfind('/'); slash != file.npos) file.remove_prefix(slash + 1);
    return std::string(file) + ":" + std::to_string(site.line);
}

const char* name(Op op)
{
    switch (op) {
    case Op::none: return "running";
    case Op::syncthreads: return "__syncthreads";
    case Op::barrier_sync: return "named_sync";
    case Op::barrier_arrive: return "named_arrive";
    case Op::syncwarp: return "__syncwarp";
    case Op::shuffle: return "shuffle";
    case Op::vote: return "vote";
    case Op::mma: return "mma";
    case Op::ldmatrix: return "ldmatrix";
    case Op::movmatrix: return "movmatrix";
    case Op::wgmma: return "wgmma";
    case Op::wgmma_wait: return "wgmma_wait";
    case Op::mbarrier_wait: return "mbarrier wait";
    }
    return "?";
}

} // namespace headroom::cuda::simt
