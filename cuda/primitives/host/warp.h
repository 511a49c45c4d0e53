// __syncthreads, __syncwarp, shuffles and votes.
#pragma once
#include "cuda/executor/simt/block.h"
#include <cstring>
#include <type_traits>

namespace headroom::cuda::simt {

enum class Shuffle { index, up, down, exclusive_or };
// `value` of `bytes` bytes becomes the value of the lane that the mode names.
void shuffle(Shuffle mode, std::uint32_t mask, void* value, std::size_t bytes, int operand, int width, Site site);
std::uint32_t ballot(std::uint32_t mask, bool predicate, Site site);

template <class T> T shuffled(Shuffle mode, std::uint32_t mask, T value, int operand, int width, Site site)
{
    static_assert(std::is_trivially_copyable_v<T>);
    shuffle(mode, mask, &value, sizeof value, operand, width, site);
    return value;
}

} // namespace headroom::cuda::simt

inline void __syncthreads(headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    headroom::cuda::simt::current->block->sync_threads(site);
}
inline void __syncwarp(unsigned mask = ~0u, headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    headroom::cuda::simt::current->block->sync_warp(mask, site);
}
template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32,
              headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    return headroom::cuda::simt::shuffled(headroom::cuda::simt::Shuffle::index, mask, value, lane, width, site);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    return headroom::cuda::simt::shuffled(headroom::cuda::simt::Shuffle::up, mask, value, static_cast<int>(delta),
                                          width, site);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    return headroom::cuda::simt::shuffled(headroom::cuda::simt::Shuffle::down, mask, value, static_cast<int>(delta),
                                          width, site);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                  headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    return headroom::cuda::simt::shuffled(headroom::cuda::simt::Shuffle::exclusive_or, mask, value, lane_mask, width,
                                          site);
}
inline unsigned __ballot_sync(unsigned mask, int predicate,
                              headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    return headroom::cuda::simt::ballot(mask, predicate != 0, site);
}
inline int __any_sync(unsigned mask, int predicate,
                      headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    return headroom::cuda::simt::ballot(mask, predicate != 0, site) != 0;
}
inline int __all_sync(unsigned mask, int predicate,
                      headroom::cuda::simt::Site site = headroom::cuda::simt::Site::here())
{
    return headroom::cuda::simt::ballot(mask, predicate != 0, site) == mask;
}
