// Where a new token's row goes. 64 bits throughout: page times stride passes 2^31 in real caches.
#pragma once
#include "cuda/kv_cache/cache_kernels.h"
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {

struct NewPlace {
    std::byte* row;
    Index scale; // index of its scale, where it has one
};

// Of new token blockIdx.x of head blockIdx.y of sequence blockIdx.z.
__device__ inline NewPlace place_of_new(const NewRows& n)
{
    const Index b = blockIdx.z, hkv = blockIdx.y, j = n.length[b] + blockIdx.x, slots = n.part.extent[2];
    const Index block = n.block_table ? n.block_table[b * n.blocks_per_sequence + j / slots] : b;
    const Index slot = n.block_table ? j % slots : j;
    const StoredView& part = n.part;
    return {const_cast<std::byte*>(part.data) + block * part.byte_stride[0] + hkv * part.byte_stride[1] +
                slot * part.byte_stride[2],
            block * part.scale_stride[0] + hkv * part.scale_stride[1] + slot * part.scale_stride[2]};
}

} // namespace headroom::cuda
