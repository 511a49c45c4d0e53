// ldmatrix: 8x8 matrices of 16-bit numbers from shared memory into the registers of a warp, as mma wants them.
//
//     lane 8m + r points at row r of matrix m (16 bytes, aligned)
//     lane 4g + t receives, in register m, columns 2t and 2t+1 of row g; transposed: rows 2t and 2t+1 of column g
//
// movmatrix_trans turns one such 8x8 fragment into the fragment of its transpose.
#pragma once
#include "cuda/primitives/cuda.h"

namespace headroom::cuda {

#ifdef __CUDACC__
PRIMITIVE void ldmatrix_x4(std::uint32_t (&r)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row))
                 : "memory");
}
PRIMITIVE void ldmatrix_x4_trans(std::uint32_t (&r)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row))
                 : "memory");
}
PRIMITIVE void ldmatrix_x2(std::uint32_t (&r)[2], const void* row) // lanes 0 to 15 point at rows
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(shared_address(row))
                 : "memory");
}
PRIMITIVE void ldmatrix_x2_trans(std::uint32_t (&r)[2], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(shared_address(row))
                 : "memory");
}
PRIMITIVE std::uint32_t movmatrix_trans(std::uint32_t fragment)
{
    std::uint32_t r;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(fragment));
    return r;
}
#else
namespace simt {
void ldmatrix(std::uint32_t* r, unsigned matrices, bool transposed, const void* row, Site site);
}
PRIMITIVE void ldmatrix_x4(std::uint32_t (&r)[4], const void* row, simt::Site site = simt::Site::here())
{
    simt::ldmatrix(r, 4, false, row, site);
}
PRIMITIVE void ldmatrix_x4_trans(std::uint32_t (&r)[4], const void* row, simt::Site site = simt::Site::here())
{
    simt::ldmatrix(r, 4, true, row, site);
}
PRIMITIVE void ldmatrix_x2(std::uint32_t (&r)[2], const void* row, simt::Site site = simt::Site::here())
{
    simt::ldmatrix(r, 2, false, row, site);
}
PRIMITIVE void ldmatrix_x2_trans(std::uint32_t (&r)[2], const void* row, simt::Site site = simt::Site::here())
{
    simt::ldmatrix(r, 2, true, row, site);
}
std::uint32_t movmatrix_trans(std::uint32_t fragment, simt::Site site = simt::Site::here());
#endif

} // namespace headroom::cuda
