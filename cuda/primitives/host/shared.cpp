#include "cuda/primitives/host/cuda.h"

namespace headroom::cuda::simt {

std::byte* shared_variable(const void* key, const char* name, std::size_t bytes)
{
    Block& block = *current->block;
    std::byte* memory = block.shared().variable(key, name, bytes);
    if (!memory) block.fail(std::string("no room in shared memory for ") + name);
    return memory;
}

std::byte* dynamic_shared() { return current->block->shared().dynamic(); }

} // namespace headroom::cuda::simt
