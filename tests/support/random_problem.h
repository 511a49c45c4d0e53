// A problem drawn at random from all that the contract allows: shapes, storage types, options, masks, block tables.
#pragma once
#include "reference/contract/problem.h"
#include "reference/tensor/random.h"

namespace headroom {

class RandomProblem { // owns what problem() refers to
public:
    explicit RandomProblem(std::uint64_t seed);
    const AttentionProblem& problem() const { return problem_; }
    AttentionProblem& problem() { return problem_; }
    std::string describe() const; // for a test's INFO

    // Overwrites what key j of sequence b and KV head hkv stores.
    void set_key(Index b, Index hkv, Index j, double value);
    void set_value(Index b, Index hkv, Index j, double value);

private:
    void choose_shape(Random& random);
    void choose_lengths(Random& random);
    void lay_out(Random& random);
    void choose_options(Random& random);
    Shape broadcastable(Random& random) const;
    void fill(StoredTensor& part, Index b, Index hkv, Index j, double value);

    Index B_ = 0, H_ = 0, Hkv_ = 0, L_ = 0, S_ = 0, D_ = 0, Dv_ = 0;
    DType type_ = DType::f64;
    StoredTensor q_, k_, v_;
    std::vector<Index> length_, evicted_, query_length_;
    std::vector<std::int32_t> table_;
    Tensor bias_, mask_;
    std::vector<double> sink_logits_;
    AttentionProblem problem_;
};

} // namespace headroom
