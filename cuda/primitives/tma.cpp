#include "cuda/primitives/tma.h"

#include "cuda/executor/simt/mbarriers.h"
#include "cuda/executor/simt/observer.h"
#include "cuda/executor/tensor_box.h"

#include <cstring>

namespace headroom::cuda {

void tma_load_4d(void* shared, const TensorMap* map, int c0, int c1, int c2, int c3, std::uint64_t* bar,
                 simt::Site site)
{
    simt::Block& block = *simt::current->block;
    const TensorBox box = decode(*map);
    const std::size_t bytes = box_bytes(box);
    if (block.shared().offset(shared) % 1024)
        block.fail("tma_load_4d: the destination is not 1024-byte aligned", &site);
    simt::check_access(shared, bytes, 16, simt::Access::shared_write, site);
    if (block.observer) {
        const BoxRows read = rows_inside(box, {c0, c1, c2, c3});
        block.observer->rows_read(*simt::current, read.rows, read.bytes_each, site);
    }
    block.mbarriers().copy(
        bar, shared, static_cast<int>(bytes),
        [=] {
            copy_box(static_cast<std::byte*>(shared), box, {c0, c1, c2, c3});
        },
        site);
}

void bulk_load(void* shared, const void* global, int bytes, std::uint64_t* bar, simt::Site site)
{
    const auto size = static_cast<std::size_t>(bytes);
    if (bytes < 0 || bytes % 16) simt::current->block->fail("bulk_load: not a multiple of 16 bytes", &site);
    simt::check_access(shared, size, 16, simt::Access::shared_write, site);
    simt::check_access(global, size, 16, simt::Access::read, site);
    simt::current->block->mbarriers().copy(
        bar, shared, bytes, [=] { std::memcpy(shared, global, size); }, site);
}

} // namespace headroom::cuda
