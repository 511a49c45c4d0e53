// What the suite of laws runs over: every kind in every storage type with every scaling.
#pragma once
#include "reference/kv_cache/kv_cache.h"

namespace headroom {

struct Storage {
    DType type;
    Scaling scaling;
};
std::vector<Storage> every_storage();
std::string name(const Storage& storage);

// Numbers without a cache, stored as a cache stores them: the right answer of every test.
struct Uncached {
    KvGeometry geometry; // one layer; static scales calibrated on these very numbers
    StoredTensor k, v;   // [B, Hkv, T, D]
    std::vector<Index> lengths;
    KvView view(Index length); // the first tokens of every sequence
};
Uncached uncached(const Tensor& k, const Tensor& v, const Storage& storage);

// Tokens first[b] … of each sequence; what lies behind the sample's end is NaN.
Tensor tokens(const Tensor& sample, std::span<const Index> first, Index tokens);

// The first number of V of each token that sequence b holds, in layer 0 and KV head 0.
std::vector<double> read(const KvCache& cache, Index b);

} // namespace headroom
