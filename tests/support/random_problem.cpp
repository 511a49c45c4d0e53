#include "tests/support/random_problem.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace headroom {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool one_in(Random& random, Index n) { return random.integer(1, n) == 1; }

std::vector<double> random_row(Index size, Random& random)
{
    std::vector<double> row(static_cast<std::size_t>(size));
    for (double& x : row) x = random.uniform(-4, 4);
    return row;
}

} // namespace

RandomProblem::RandomProblem(std::uint64_t seed)
{
    Random random(seed);
    choose_shape(random);
    choose_lengths(random);
    lay_out(random);
    choose_options(random);
}

void RandomProblem::choose_shape(Random& random)
{
    B_ = random.integer(1, 3);
    Hkv_ = random.integer(1, 4);
    H_ = Hkv_ * random.integer(1, 4);
    L_ = one_in(random, 3) ? 1 : one_in(random, 10) ? 0 : random.integer(1, 70);
    S_ = one_in(random, 10) ? random.integer(0, 1) : random.integer(0, 70);
    D_ = random.integer(1, 130);
    Dv_ = one_in(random, 2) ? D_ : random.integer(1, 130);
    const DType types[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i8, DType::f8e4m3};
    type_ = one_in(random, 2) ? DType::f64 : types[random.integer(0, 5)];
}

void RandomProblem::choose_lengths(Random& random)
{
    const bool ragged = one_in(random, 2);
    for (Index b = 0; b < B_; ++b) length_.push_back(ragged ? random.integer(0, S_) : S_);
    if (one_in(random, 3))
        for (Index b = 0; b < B_; ++b) query_length_.push_back(random.integer(0, L_));
    if (one_in(random, 4))
        for (Index b = 0; b < B_; ++b) evicted_.push_back(random.integer(0, 100));
}

// One block per sequence, or blocks of 1 … 16 in any order among more blocks than are used. Nothing is written where
// no key is stored: those slots hold NaN.
void RandomProblem::lay_out(Random& random)
{
    q_ = store(random_uniform({B_, H_, L_, D_}, random), byte_size(type_) == 1 ? DType::f32 : type_);
    const bool paged = S_ > 0 && one_in(random, 3);
    const Index block_size = paged ? random.integer(1, 16) : S_ + random.integer(0, 5);
    const Index per_sequence = paged ? (S_ + block_size - 1) / block_size : 1;
    const Index blocks = paged ? B_ * per_sequence + random.integer(0, 4) : B_;
    const Scaling scaling = byte_size(type_) == 1 ? Scaling::per_head_and_token : Scaling::none;
    k_ = StoredTensor({blocks, Hkv_, block_size, D_}, type_, scaling);
    v_ = StoredTensor({blocks, Hkv_, block_size, Dv_}, type_, scaling);
    for (StoredTensor* part : {&k_, &v_})
        for (Index block = 0; block < blocks; ++block)
            for (Index hkv = 0; hkv < Hkv_; ++hkv)
                for (Index slot = 0; slot < block_size; ++slot)
                    part->write_row(block, hkv, slot,
                                    std::vector<double>(static_cast<std::size_t>(part->shape()[3]), nan));
    if (paged) {
        std::vector<std::int32_t> pool(static_cast<std::size_t>(blocks));
        std::iota(pool.begin(), pool.end(), 0);
        for (std::size_t n = pool.size(); n > 1; --n)
            std::swap(pool[n - 1], pool[static_cast<std::size_t>(random.integer(0, static_cast<Index>(n) - 1))]);
        table_.assign(pool.begin(), pool.begin() + B_ * per_sequence);
        problem_.kv.block_table = table_.data();
        problem_.kv.blocks_per_sequence = per_sequence;
    }
    problem_.q = q_.view();
    problem_.kv.k = k_.view();
    problem_.kv.v = v_.view();
    problem_.kv.sequences = B_;
    problem_.kv.length = length_.data();
    if (!evicted_.empty()) {
        problem_.kv.evicted = evicted_.data();
        problem_.kv.kept_first = random.integer(0, 5);
    }
    if (!query_length_.empty()) problem_.query_length = query_length_.data();
    problem_.keys = S_;
    for (Index b = 0; b < B_; ++b)
        for (Index hkv = 0; hkv < Hkv_; ++hkv)
            for (Index j = 0; j < length_[static_cast<std::size_t>(b)]; ++j) {
                const Index block = paged ? table_[static_cast<std::size_t>(b * per_sequence + j / block_size)] : b;
                k_.write_row(block, hkv, j % block_size, random_row(D_, random));
                v_.write_row(block, hkv, j % block_size, random_row(Dv_, random));
            }
}

Shape RandomProblem::broadcastable(Random& random) const
{
    Shape shape{B_, H_, L_, S_};
    for (Index& extent : shape)
        if (one_in(random, 3)) extent = 1;
    return shape;
}

void RandomProblem::choose_options(Random& random)
{
    AttentionOptions& o = problem_.options;
    const Causal kinds[] = {Causal::none, Causal::bottom_right, Causal::top_left};
    o.causal = kinds[random.integer(0, 2)];
    if (o.causal != Causal::none && one_in(random, 2)) {
        o.window = random.integer(1, 40);
        if (one_in(random, 2)) o.sinks = random.integer(1, 6);
    }
    if (one_in(random, 3)) o.scale = random.uniform(-0.2, 0.4);
    if (one_in(random, 3)) o.soft_cap = random.uniform(0.5, 20);
    if (one_in(random, 3)) {
        mask_ = Tensor(broadcastable(random), 1.0);
        for (double& x : mask_.values()) x = one_in(random, 3) ? 0 : 1;
        problem_.mask = &mask_;
    }
    if (one_in(random, 3)) {
        bias_ = random_uniform(broadcastable(random), random);
        for (double& x : bias_.values())
            if (one_in(random, 5)) x = -std::numeric_limits<double>::infinity();
        problem_.bias = &bias_;
    }
    if (one_in(random, 3)) {
        sink_logits_ = random_row(H_, random);
        problem_.sink_logits = sink_logits_;
    }
}

void RandomProblem::fill(StoredTensor& part, Index b, Index hkv, Index j, double value)
{
    const Index block_size = part.shape()[2];
    const Index block =
        table_.empty() ? b : table_[static_cast<std::size_t>(b * problem_.kv.blocks_per_sequence + j / block_size)];
    part.write_row(block, hkv, j % block_size, std::vector<double>(static_cast<std::size_t>(part.shape()[3]), value));
}
void RandomProblem::set_key(Index b, Index hkv, Index j, double value) { fill(k_, b, hkv, j, value); }
void RandomProblem::set_value(Index b, Index hkv, Index j, double value) { fill(v_, b, hkv, j, value); }

std::string RandomProblem::describe() const
{
    const AttentionOptions& o = problem_.options;
    return "q " + to_text(q_.shape()) + ", k " + to_text(k_.shape()) + ", v " + to_text(v_.shape()) + ", " +
           std::string(name(type_)) + ", causal " + std::to_string(static_cast<int>(o.causal)) + ", window " +
           std::to_string(o.window) + ", sinks " + std::to_string(o.sinks) + (problem_.mask ? ", mask" : "") +
           (problem_.bias ? ", bias" : "") + (table_.empty() ? "" : ", pages") + (evicted_.empty() ? "" : ", evicted") +
           (query_length_.empty() ? "" : ", padded") + (sink_logits_.empty() ? "" : ", sink logits");
}

} // namespace headroom
