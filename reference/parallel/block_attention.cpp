#include "reference/parallel/block_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::parallel {
namespace {

constexpr float hidden = -std::numeric_limits<float>::infinity();
constexpr Index rows_in_registers = 4;

Index rounded_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

} // namespace

BlockAttention::BlockAttention(const AttentionProblem& problem, const AttentionShape& shape, const Kernels& kernels)
    : problem_(problem), shape_(shape), kernels_(kernels),
      queries_({.k = problem.q, .v = {}}, problem.q, kernels.lanes, false),
      keys_(problem.kv, problem.kv.k, kernels.lanes, scales_belong_to_columns(problem.kv.k)),
      values_(problem.kv, problem.kv.v, kernels.lanes, false),
      scale_(static_cast<float>(problem.options.scale.value_or(1 / std::sqrt(static_cast<double>(shape.D))))),
      key_scales_to_query_(scales_belong_to_columns(problem.kv.k))
{}

Index BlockAttention::scratch_floats(Index rows) const
{
    const Index score_rows = rows <= few_rows ? rows : rows_at_once;
    return rows * keys_.dim() + score_rows * tile_keys + tile_keys * (2 * keys_.dim() + values_.dim());
}

BlockAttention::Scratch BlockAttention::lay_out(Index rows, float* memory) const
{
    Scratch s{};
    const auto take = [&memory](Index floats) { return memory = memory + floats, memory - floats; };
    s.keys = take(tile_keys * keys_.dim());
    s.turned = take(tile_keys * keys_.dim());
    s.values = take(tile_keys * values_.dim());
    s.scores = take((rows <= few_rows ? rows : rows_at_once) * tile_keys);
    s.q = memory;
    return s;
}

// Rows of scaled queries, as wide as the rows of keys.
void BlockAttention::load_queries(const QueryBlock& block, float* q) const
{
    const Index group = shape_.group_size();
    for (Index i = block.first; i < block.last; ++i)
        for (Index h = block.hkv * group; h < (block.hkv + 1) * group; ++h, q += keys_.dim()) {
            RowTile row;
            queries_.locate(block.b, h, i, 1, i + 1, row, q);
            if (row.row[0] != q) kernels_.unpack(row.type, row.row, 1, keys_.dim(), q);
            kernels_.times(q, keys_.dim(), scale_);
            const StoredView& k = problem_.kv.k;
            for (Index d = 0; d < shape_.D && key_scales_to_query_; ++d)
                q[d] *= k.scale[scale_offset(k, 0, block.hkv, 0, d)];
        }
}

void BlockAttention::compute(const QueryBlock& block, Index from, Index to, const RowStates& states,
                             float* scratch) const
{
    const Scratch s = lay_out(states.rows, scratch);
    states.clear();
    load_queries(block, s.q);
    RowTile k, v;
    for (Index n = from; n < to; n += k.rows) {
        // A tile ends where the first tokens end and the window begins.
        const Index first = block.keys.slot(n),
                    edge = n < block.keys.sinks_end ? std::min(to, block.keys.sinks_end) : to;
        const Index rows = std::min(tile_keys, edge - n), end = first + edge - n;
        keys_.locate(block.b, block.hkv, first, rows, end, k, s.keys);
        values_.locate(block.b, block.hkv, first, rows, end, v, s.values);
        states.rows <= few_rows ? few(block, k, v, first, states, s) : many(block, k, v, first, states, s);
    }
}

void BlockAttention::few(const QueryBlock& block, const RowTile& k, const RowTile& v, Index first,
                         const RowStates& states, const Scratch& s) const
{
    // More rows than registers hold: what is not f32 is widened once, not for each of their groups.
    const void *key[tile_keys + 4], *value[tile_keys];
    const bool widen_k = states.rows > rows_in_registers && k.type != Stored::f32;
    const bool widen_v = states.rows > rows_in_registers && v.type != Stored::f32;
    if (widen_k) kernels_.unpack(k.type, k.row, k.rows, keys_.dim(), s.keys);
    if (widen_v) kernels_.unpack(v.type, v.row, v.rows, values_.dim(), s.values);
    for (Index j = 0; j < k.rows + 4; ++j) key[j] = s.keys + std::min(j, k.rows - 1) * keys_.dim();
    for (Index j = 0; j < v.rows; ++j) value[j] = s.values + j * values_.dim();

    // While keys are multiplied the values arrive, and while values are, the next keys.
    kernels_.dot(widen_k ? Stored::f32 : k.type, s.q, states.rows, widen_k ? key : k.row, rounded_up(k.rows, 4),
                 keys_.dim(), widen_v ? nullptr : v.row, s.scores);
    const bool open = sees_all(block, block.first, block.last, first, k.rows);
    for (Index r = 0; r < states.rows; ++r) softmax(block, r, first, k, v, open, s.scores + r * tile_keys, states);
    kernels_.accumulate(widen_v ? Stored::f32 : v.type, s.scores, states.rows, widen_v ? value : v.row, v.rows,
                        values_.dim(), k.more && !widen_k ? k.row + k.rows : nullptr, states.output);
}

void BlockAttention::many(const QueryBlock& block, const RowTile& k, const RowTile& v, Index first,
                          const RowStates& states, const Scratch& s) const
{
    const Index D = keys_.dim(), Dv = values_.dim(), columns = rounded_up(k.rows, kernels_.lanes);
    kernels_.transpose(k.type, k.row, k.rows, D, s.turned, tile_keys); // [D, tile_keys]
    const bool in_place = v.type == Stored::f32 && v.stride % Index{sizeof(float)} == 0 && v.stride > 0;
    const float* V = in_place ? static_cast<const float*>(v.row[0]) : s.values; // [rows, Dv]
    const Index v_stride = in_place ? v.stride / Index{sizeof(float)} : Dv;
    if (!in_place) kernels_.unpack(v.type, v.row, v.rows, Dv, s.values);

    for (Index r = 0; r < states.rows; r += rows_at_once) {
        const Index rows = std::min(rows_at_once, states.rows - r), group = shape_.group_size();
        const Index i = block.first + r / group, last = block.first + (r + rows - 1) / group;
        const VisibleKeys seen = visible_keys(problem_, block.b, i, last + 1);
        if (!(first < seen.sinks_end || (seen.begin < first + k.rows && first < seen.end))) continue;
        kernels_.product(s.q + r * D, D, s.turned, tile_keys, s.scores, tile_keys, rows, columns, D, false);
        const bool open = sees_all(block, i, last + 1, first, k.rows);
        for (Index n = 0; n < rows; ++n) softmax(block, r + n, first, k, v, open, s.scores + n * tile_keys, states);
        kernels_.product(s.scores, tile_keys, V, v_stride, states.output + r * Dv, Dv, rows, Dv, k.rows, true);
    }
}

// Whether queries [i, last) all see every key of a tile, so that no row of it needs a mask. Who comes later sees later
// keys: the first and the last of them speak for all.
bool BlockAttention::sees_all(const QueryBlock& block, Index i, Index last, Index first, Index rows) const
{
    return !problem_.bias && !problem_.mask && visible_keys(problem_, block.b, i).sees_all(first, first + rows) &&
           visible_keys(problem_, block.b, last - 1).sees_all(first, first + rows);
}

// Hides what this row must not see: -inf is selected, whatever was calculated there.
void BlockAttention::mask(const QueryBlock& block, Index row, Index first, Index rows, float* scores) const
{
    const Index group = shape_.group_size(), i = block.first + row / group, h = block.hkv * group + row % group;
    const VisibleKeys seen = visible_keys(problem_, block.b, i);
    for (Index j = 0; j < rows; ++j) {
        const float term = bias(problem_, block.b, h, i, first + j);
        const bool visible = seen.sees(first + j) && mask_allows(problem_, block.b, h, i, first + j) && term != hidden;
        scores[j] = visible ? scores[j] + term : hidden;
    }
}

// Scores become weights: scales of keys, soft cap, mask, online softmax, scales of values.
void BlockAttention::softmax(const QueryBlock& block, Index row, Index first, const RowTile& k, const RowTile& v,
                             bool open, float* scores, const RowStates& states) const
{
    const Index columns = rounded_up(k.rows, kernels_.lanes);
    if (k.scaled) kernels_.scale(scores, columns, k.scale);
    if (problem_.options.soft_cap > 0)
        kernels_.soft_cap(scores, columns, static_cast<float>(problem_.options.soft_cap));
    if (!open) mask(block, row, first, k.rows, scores);
    std::fill(scores + k.rows, scores + columns, hidden);
    kernels_.softmax(scores, columns, states.max[row], states.sum[row], states.output + row * states.dim, states.dim);
    if (v.scaled) kernels_.scale(scores, columns, v.scale);
}

} // namespace headroom::parallel
