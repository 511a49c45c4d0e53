// The scores of 32 keys for the four query heads that share them, by one warp: its 32 threads call this together.
#pragma once

constexpr int heads = 4, keys = 32, features = 64;

// scores[h][j] = q[h] . K[j]
void warp_scores(const float* q, const float* K, float* scores); // [heads, features], [keys, features], [heads, keys]
