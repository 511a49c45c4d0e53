#include "cuda/primitives/mbarrier.h"

#include "cuda/executor/simt/mbarriers.h"

namespace headroom::cuda {
namespace {

simt::MBarriers& barriers() { return simt::current->block->mbarriers(); }

} // namespace

void mbar_init(std::uint64_t* bar, int count, simt::Site site) { barriers().init(bar, count, site); }
void mbar_arrive(std::uint64_t* bar, simt::Site site) { barriers().arrive(bar, 0, site); }
void mbar_expect_tx(std::uint64_t* bar, int bytes, simt::Site site) { barriers().arrive(bar, bytes, site); }
void mbar_wait(std::uint64_t* bar, int parity, simt::Site site) { barriers().wait(bar, parity, site); }

} // namespace headroom::cuda
