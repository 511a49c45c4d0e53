// Where rows lie in device memory. Spelled out here and not shared with the reference: a check that shares code with
// what it checks finds nothing. 64 bits throughout: page times stride passes 2^31 in real caches.
#pragma once
#include "cuda/primitives/device_problem.h"

namespace headroom::cuda {

// Key or value j of sequence b as KV head hkv stores it: [D] or [Dv].
template <class T> __device__ inline const T* kv_row(const KvView& kv, const StoredView& part, int b, int hkv, Index j)
{
    const Index slots = part.extent[2];
    Index block = b, slot = j;
    if (kv.block_table) {
        block = kv.block_table[b * kv.blocks_per_sequence + j / slots];
        slot = j % slots;
    }
    return reinterpret_cast<const T*>(part.data + block * part.byte_stride[0] + hkv * part.byte_stride[1] +
                                      slot * part.byte_stride[2]);
}

// Row [b, h, i] of a dense [B, H, L, width] tensor.
template <class T> __device__ inline T* row_of(const DeviceProblem& p, T* data, int b, int h, int i, int width)
{
    return data + ((Index{b} * p.H + h) * p.L + i) * width;
}

} // namespace headroom::cuda
