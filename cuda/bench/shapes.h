// The problems that gpu_bench times: the same for the ladder and for its rivals.
#pragma once
#include "reference/contract/problem.h"
#include "reference/tensor/stored_tensor.h"
#include <memory>
#include <string>

namespace headroom::cuda {

struct BenchShape {
    std::string name;
    Index B, H, Hkv, L, S, D;
    DType type;  // of K and V
    bool causal; // only where L > 1
    DType q_type() const { return byte_size(type) == 1 ? DType::bf16 : type; }
    Index kv_bytes() const; // with the scales of 8-bit storage
    Index bytes() const;    // K, V, Q and the output, each once
    Index flop() const;     // half if causal
};
std::vector<BenchShape> decode_shapes(bool tiny);
std::vector<BenchShape> prefill_shapes(bool tiny);

// Random numbers in every byte of K and V: a GPU runs faster on zeros.
class BenchProblem {
public:
    explicit BenchProblem(const BenchShape& shape);
    const AttentionProblem& problem() const { return problem_; }

private:
    StoredTensor q_, k_, v_;
    std::vector<Index> lengths_;
    AttentionProblem problem_;
};

} // namespace headroom::cuda
