// The kernels that gpu_bench needs beside the ladder: what memory can do at most, and what a new GPU runs first.
#pragma once
#include "cuda/executor/executor.h"
#include "reference/tensor/dtype.h"

namespace headroom::cuda {

struct Stretch { // of memory, in pieces of 16 bytes
    const void* from;
    void* to;
    Index pieces;
};
void copy(Executor& executor, const Stretch& stretch, unsigned blocks);
void read(Executor& executor, const Stretch& stretch, unsigned blocks); // writes 16 bytes, if at all
void nothing(Executor& executor);                                       // the floor of a launch

// One box of 64 rows of 128 bytes through the copy engine, put in order again.
struct BoxCopy {
    TensorMap map;
    void* to; // 8192 bytes
};
void copy_box(Executor& executor, const BoxCopy& box);

} // namespace headroom::cuda
