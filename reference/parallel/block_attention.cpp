#include "reference/parallel/block_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom::parallel {
namespace {

constexpr float hidden = -std::numeric_limits<float>::infinity();

// Pointers to the rows of a matrix.
struct Rows {
    const void* row[tile_keys];
    Rows(const float* matrix, Index rows, Index stride)
    {
        for (Index r = 0; r < rows; ++r) row[r] = matrix + r * stride;
    }
};

} // namespace

BlockAttention::BlockAttention(const AttentionProblem& problem, const AttentionShape& shape, const Kernels& kernels)
    : problem_(problem), shape_(shape), kernels_(kernels),
      queries_({.k = problem.q, .v = {}}, problem.q, kernels.lanes, false),
      keys_(problem.kv, problem.kv.k, kernels.lanes, scales_belong_to_columns(problem.kv.k)),
      values_(problem.kv, problem.kv.v, kernels.lanes, false),
      scale_(static_cast<float>(problem.options.scale.value_or(1 / std::sqrt(static_cast<double>(shape.D))))),
      key_scales_to_query_(scales_belong_to_columns(problem.kv.k))
{}

BlockAttention::Floats BlockAttention::floats(Index rows, Index keys) const
{
    const Index D = keys_.dim(), Dv = values_.dim(), lanes = kernels_.lanes;
    if (rows <= few_rows) {
        const Index tile = std::min(tile_keys, rounded_up(keys, lanes));
        return {.q = rows * D, .scores = rows * tile_keys, .keys = tile * D, .values = tile * Dv, .turned = 0};
    }
    const Index whole_rows = rounded_up(rows, lanes);
    return {.q = whole_rows * D,
            .scores = std::min(whole_rows, rows_at_once) * tile_keys,
            .keys = tile_keys * D,
            .values = tile_keys * Dv,
            .turned = tile_keys * D};
}

Index BlockAttention::scratch_floats(Index rows, Index keys) const
{
    const Floats n = floats(rows, keys);
    return n.q + n.scores + n.keys + n.values + n.turned;
}

BlockAttention::Scratch BlockAttention::lay_out(Index rows, Index keys, float* memory) const
{
    const Floats n = floats(rows, keys);
    const auto take = [&memory](Index floats) { return std::exchange(memory, memory + floats); };
    return {.q = take(n.q),
            .scores = take(n.scores),
            .keys = take(n.keys),
            .values = take(n.values),
            .turned = take(n.turned)};
}

// Rows of scaled queries, as wide as the rows of keys.
void BlockAttention::load_queries(const QueryBlock& block, float* q) const
{
    const Index group = shape_.group_size();
    for (Index i = block.first; i < block.last; ++i)
        for (Index h = block.hkv * group; h < (block.hkv + 1) * group; ++h, q += keys_.dim()) {
            RowTile row;
            queries_.locate(block.b, h, i, 1, i + 1, Use::few_queries, row, q);
            if (const void* const stored = row.first ? row.first : row.row[0]; stored != q) {
                kernels_.unpack(row.type, &stored, 1, keys_.dim(), q);
                kernels_.arrange(row.type, q, keys_.dim(), true);
            }
            kernels_.times(q, keys_.dim(), scale_);
            const StoredView& k = problem_.kv.k;
            for (Index d = 0; d < shape_.D && key_scales_to_query_; ++d)
                q[d] *= k.scale[scale_offset(k, 0, block.hkv, 0, d)];
        }
}

void BlockAttention::compute(const QueryBlock& block, Index from, Index to, const RowStates& states,
                             float* scratch) const
{
    const Scratch s = lay_out(states.rows, to - from, scratch);
    const Index D = keys_.dim(), rows = states.rows;
    const bool is_few = rows <= few_rows, turned = turns_scores(rows);
    states.clear();
    float* const q = turned ? s.turned : s.q;
    load_queries(block, q);
    for (Index r = 0; r < rows && (is_few || turned); ++r) kernels_.arrange(keys_.stored_type(), q + r * D, D, false);
    if (turned) kernels_.transpose(Stored::f32, Rows(q, rows, D).row, rows, D, s.q, rounded_up(rows, kernels_.lanes));
    const VisibleKeys seen_by_all = keys_seen_by_all(block, block.first, block.last);
    const Use use = is_few ? Use::few_queries : Use::many_queries;
    RowTile k, v;
    for (Index n = from; n < to; n += k.rows) {
        // A tile ends where the first tokens end and the window begins. Fetched are also keys behind this share, up to `end`:
        // they are the next one's, which is this thread's as a rule.
        const bool sinks = n < block.keys.sinks_end;
        const Index first = block.keys.slot(n), edge = sinks ? std::min(to, block.keys.sinks_end) : to,
                    count = std::min(tile_keys, edge - n), end = sinks ? first + edge - n : block.keys.end;
        keys_.locate(block.b, block.hkv, first, count, end, use, k, s.keys);
        values_.locate(block.b, block.hkv, first, count, is_few ? end : first + count, use, v, s.values);
        is_few ? few(block, k, v, first, seen_by_all, states, s) : many(block, k, v, first, states, s);
    }
    for (Index r = 0; r < rows; ++r)
        kernels_.arrange(values_.stored_type(), states.output + r * states.dim, states.dim, true);
}

void BlockAttention::few(const QueryBlock& block, const RowTile& k, const RowTile& v, Index first,
                         const VisibleKeys& seen_by_all, const RowStates& states, const Scratch& s) const
{
    kernels_.dot(k.type, k.stored_rows(), k.rows, s.q, states.rows, keys_.dim(), s.scores);
    softmax(block, 0, states.rows, first, k.rows, seen_by_all, k, v, s.scores, states);
    kernels_.accumulate(v.type, v.stored_rows(), v.rows, s.scores, states.rows, values_.dim(), states.output);
}

void BlockAttention::many(const QueryBlock& block, const RowTile& k, const RowTile& v, Index first,
                          const RowStates& states, const Scratch& s) const
{
    const Index D = keys_.dim(), Dv = values_.dim(), group = shape_.group_size();
    const float* const V = v.is_matrix() ? v.matrix() : s.values; // [rows, Dv]
    const Index v_stride = v.is_matrix() ? v.matrix_stride() : Dv;
    const bool turned = turns_scores(states.rows);
    if (!turned) kernels_.transpose(k.type, k.row, k.rows, D, s.turned, tile_keys);

    // The values arrive while keys are multiplied, and the next keys while values are: with the first rows.
    Ahead values_soon{v.row, v.rows, v.row_bytes}, keys_soon{k.row + k.rows, k.ahead, k.row_bytes};
    bool unpacked = v.is_matrix();
    for (Index r = 0; r < states.rows; r += rows_at_once) {
        // Of the tile's keys, those that these rows see.
        const Index rows = std::min(rows_at_once, states.rows - r), i = block.first + r / group,
                    last = block.first + (r + rows - 1) / group;
        const VisibleKeys seen = visible_keys(problem_, block.b, i, last + 1);
        if (!(first < seen.sinks_end || (seen.begin < first + k.rows && first < seen.end))) continue;
        const Index keys = std::min(k.rows, seen.end - first);

        if (turned)
            multiply_turned_queries(k, rows, keys, values_soon, s);
        else
            kernels_.product(s.q + r * D, D, s.turned, tile_keys, s.scores, tile_keys, rows,
                             rounded_up(keys, kernels_.lanes), D, false, values_soon);
        softmax(block, r, rows, first, keys, keys_seen_by_all(block, i, last + 1), k, v, s.scores, states);
        if (!std::exchange(unpacked, true)) kernels_.unpack(v.type, v.row, v.rows, Dv, s.values);
        kernels_.product(s.scores, tile_keys, V, v_stride, states.output + r * Dv, Dv, rows, Dv, keys, true, keys_soon);
        values_soon = keys_soon = {};
    }
}

// Keys [keys, D] times queries [D, rows], and their product turned round: scores [rows, tile_keys]
void BlockAttention::multiply_turned_queries(const RowTile& k, Index rows, Index keys, const Ahead& ahead,
                                             const Scratch& s) const
{
    const Index D = keys_.dim(), columns = rounded_up(rows, kernels_.lanes);
    if (!k.is_matrix()) kernels_.unpack(k.type, k.row, keys, D, s.keys);
    kernels_.product(k.is_matrix() ? k.matrix() : s.keys, k.is_matrix() ? k.matrix_stride() : D, s.q, columns, s.turned,
                     columns, keys, columns, D, false, ahead);
    kernels_.transpose(Stored::f32, Rows(s.turned, keys, columns).row, keys, rows, s.scores, tile_keys);
}

// The slots that queries [i, last) all see, so that no row needs a mask there. Who comes later sees later keys: the first
// and the last of them speak for all.
VisibleKeys BlockAttention::keys_seen_by_all(const QueryBlock& block, Index i, Index last) const
{
    if (problem_.bias || problem_.mask) return {};
    const VisibleKeys a = visible_keys(problem_, block.b, i), b = visible_keys(problem_, block.b, last - 1);
    return {std::min(a.sinks_end, b.sinks_end), std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

// Hides what this row must not see: -inf is selected, whatever was calculated there.
void BlockAttention::mask(const QueryBlock& block, Index row, Index first, Index keys, float* scores) const
{
    const Index group = shape_.group_size(), i = block.first + row / group, h = block.hkv * group + row % group;
    const VisibleKeys seen = visible_keys(problem_, block.b, i);
    const auto hide = [&](Index from, Index to) { // slots
        from = std::max<Index>(from - first, 0), to = std::min(to - first, keys);
        if (from < to) std::fill(scores + from, scores + to, hidden);
    };
    hide(seen.sinks_end, seen.begin);
    hide(seen.end, first + keys);
    if (!problem_.bias && !problem_.mask) return;
    for (Index j = 0; j < keys; ++j) {
        const float term = bias(problem_, block.b, h, i, first + j);
        const bool visible = scores[j] != hidden && mask_allows(problem_, block.b, h, i, first + j) && term != hidden;
        scores[j] = visible ? scores[j] + term : hidden;
    }
}

// Scores become weights: scales of keys, soft cap, mask, online softmax, scales of values.
void BlockAttention::softmax(const QueryBlock& block, Index row, Index rows, Index first, Index keys,
                             const VisibleKeys& seen_by_all, const RowTile& k, const RowTile& v, float* scores,
                             const RowStates& states) const
{
    const Index columns = rounded_up(keys, kernels_.lanes);
    const bool open = seen_by_all.sees_all(first, first + keys);
    for (Index n = 0; n < rows; ++n) {
        float* const line = scores + n * tile_keys;
        if (k.scaled) kernels_.scale(line, columns, k.scale);
        if (problem_.options.soft_cap > 0)
            kernels_.soft_cap(line, columns, static_cast<float>(problem_.options.soft_cap));
        if (!open) mask(block, row + n, first, keys, line);
    }
    kernels_.softmax(scores, rows, keys, states.max + row, states.sum + row, states.output + row * states.dim,
                     states.dim);
    for (Index n = 0; n < rows && v.scaled; ++n) kernels_.scale(scores + n * tile_keys, columns, v.scale);
}

} // namespace headroom::parallel
