#include "cuda/primitives/cp_async.h"

#include "cuda/executor/simt/async_copies.h"

namespace headroom::cuda::simt {

void cp_async(void* shared, const void* global, unsigned bytes, bool wanted, Site site)
{
    Block& block = *current->block;
    if (wanted) check_access(global, bytes, bytes, Access::read, site);
    if (!block.shared().contains(shared)) block.fail("cp.async: the destination is not shared memory", &site);
    block.async().issue(*current,
                        {static_cast<std::byte*>(shared), static_cast<const std::byte*>(global), bytes, wanted}, site);
}

void cp_async_commit() { current->block->async().commit(*current); }

void cp_async_wait(unsigned newest, Site site) { current->block->async().wait(*current, newest, site); }

} // namespace headroom::cuda::simt
