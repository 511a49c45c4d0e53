#include "tutorials/10_decode_ladder/exercise.h"

#include "cuda/primitives/cuda.h"

void warp_scores(const float* q, const float* K, float* scores)
{
    const int lane = int(threadIdx.x);
    // TODO: every lane takes a key, as in 01. The scores are right; what K is read for is not. Climb to 03.
    for (int h = 0; h < heads; ++h) {
        float dot = 0;
        for (int d = 0; d < features; ++d) dot += q[h * features + d] * K[lane * features + d];
        scores[h * keys + lane] = dot;
    }
}
