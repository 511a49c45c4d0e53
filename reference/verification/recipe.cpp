#include "reference/verification/recipe.h"

#include "reference/tensor/random.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headroom {
namespace {

// The blocks of every sequence, scattered over a pool that holds some more.
std::vector<std::int32_t> scattered_blocks(Index used, Index pool, Random& random)
{
    std::vector<std::int32_t> order(static_cast<std::size_t>(pool));
    std::iota(order.begin(), order.end(), 0);
    for (Index i = pool - 1; i > 0; --i)
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.integer(0, i))]);
    order.resize(static_cast<std::size_t>(used));
    return order;
}

// A store whose every slot holds NaN (8-bit integers have none: their lowest number).
StoredTensor poisoned(const Shape& shape, DType type, Scaling scaling)
{
    StoredTensor store(shape, type, scaling);
    const double poison = type == DType::i8 ? -1e9 : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t at = 0; at < store.bytes().size(); at += static_cast<std::size_t>(byte_size(type)))
        encode(type, poison, store.bytes().data() + at);
    return store;
}

} // namespace

PosedProblem::PosedProblem(const Recipe& r) : lengths_(r.lengths), query_lengths_(r.query_lengths), evicted_(r.evicted)
{
    Random random(r.seed);
    const double a = r.amplitude;
    const Index Dv = r.Dv ? r.Dv : r.D;
    if (lengths_.empty()) lengths_.assign(static_cast<std::size_t>(r.B), r.S);

    // Blocks of rows: one long block per sequence, or many short ones in any order.
    const Index slots = r.block ? r.block : r.S;
    const Index per_sequence = r.block ? (r.S + r.block - 1) / r.block : 1;
    const Index pool = r.block ? r.B * per_sequence + 3 : r.B;
    if (r.block) block_table_ = scattered_blocks(r.B * per_sequence, pool, random);

    q_ = store(random_uniform({r.B, r.H, r.L, r.D}, random, -a, a), r.q_type);
    k_ = poisoned({pool, r.Hkv, slots, r.D}, r.type, r.scaling);
    v_ = poisoned({pool, r.Hkv, slots, Dv}, r.type, r.scaling);

    problem_.q = q_.view();
    problem_.options = r.options;
    problem_.keys = r.S;
    KvView& kv = problem_.kv;
    kv.k = k_.view();
    kv.v = v_.view();
    kv.sequences = r.B;
    kv.length = lengths_.data();
    if (!evicted_.empty()) kv.evicted = evicted_.data();
    kv.kept_first = r.kept_first;
    if (r.block) {
        kv.block_table = block_table_.data();
        kv.blocks_per_sequence = per_sequence;
    }

    // The tokens, each row with its own random size so that scales per token differ.
    for (Index b = 0; b < r.B; ++b)
        for (Index hkv = 0; hkv < r.Hkv; ++hkv)
            for (Index j = 0; j < lengths_[static_cast<std::size_t>(b)]; ++j) {
                const Place at = place(kv, b, j);
                const double size = r.scaling == Scaling::none ? a : random.uniform(a / 4, a);
                k_.write_row(at.block, hkv, at.slot, random_uniform({r.D}, random, -size, size).values());
                v_.write_row(at.block, hkv, at.slot, random_uniform({Dv}, random, -size, size).values());
            }

    // A number that is none: of sequence 0, head 0, the first query or the key in the middle.
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (r.nan_in_q) encode(r.q_type, nan, q_.bytes().data());
    const Place middle = lengths_[0] ? place(kv, 0, lengths_[0] / 2) : Place{};
    for (const auto& [wanted, part] : {std::pair{r.nan_in_k, &k_}, {r.nan_in_v, &v_}})
        if (wanted) encode(r.type, nan, part->bytes().data() + byte_offset(part->view(), middle.block, 0, middle.slot));

    if (!query_lengths_.empty()) problem_.query_length = query_lengths_.data();
    if (r.bias) {
        bias_ = random_uniform({1, r.H, r.L, r.S}, random, -2, 2);
        problem_.bias = &bias_;
    }
    if (r.mask) {
        mask_ = random_uniform({r.B, 1, r.L, r.S}, random, 0, 1);
        for (double& x : mask_.values()) x = x < 0.7 ? 1 : 0;
        problem_.mask = &mask_;
    }
    if (r.sink_logits) {
        for (Index h = 0; h < r.H; ++h) sink_logits_.push_back(random.uniform(-2, 6));
        problem_.sink_logits = sink_logits_;
    }
}

} // namespace headroom
