// Refuses a problem that breaks the contract, with one line that names tensor, shape and rule.
#include "reference/contract/problem.h"
#include "reference/tensor/print.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace headroom {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::string text(const StoredView& v) { return to_text({v.extent[0], v.extent[1], v.extent[2], v.extent[3]}); }
std::string text(Index n) { return std::to_string(n); }
std::string at(const std::string& name, Index b) { return name + "[" + text(b) + "]"; }

enum class Scales : std::uint8_t { never, with_8_bits };

// Four extents whose bytes can be counted, a type that holds real numbers, and memory behind them.
void check_tensor(const char* name, const StoredView& v, Scales scales)
{
    const auto shown = [&] { return std::string(name) + " " + text(v); }; // most calls refuse nothing and need no text
    Index bytes = byte_size(v.type);
    for (const Index extent : v.extent) {
        if (extent < 0) refuse(shown() + ": an extent is negative");
        if (__builtin_mul_overflow(bytes, extent, &bytes)) refuse(shown() + ": its bytes exceed 64 bits");
    }
    const bool plain = v.type == DType::f64 || v.type == DType::f32 || v.type == DType::f16 || v.type == DType::bf16;
    const bool small = v.type == DType::f8e4m3 || v.type == DType::i8;
    if (!plain && !(small && scales == Scales::with_8_bits))
        refuse(shown() + ": dtype " + std::string(headroom::name(v.type)) + " is not one of f64, f32, f16, bf16" +
               (scales == Scales::with_8_bits ? ", f8e4m3, i8" : ""));
    if (bytes > 0 && !v.data) refuse(shown() + ": there is no memory behind it");
}

void check_heads_and_widths(const AttentionProblem& p)
{
    const auto &q = p.q.extent, &k = p.kv.k.extent, &v = p.kv.v.extent;
    const auto shown_q = [&] { return "q " + text(p.q); };
    const auto shown_k = [&] { return "k " + text(p.kv.k); };
    const auto shown_v = [&] { return "v " + text(p.kv.v); };
    if (q[0] < 1 || q[1] < 1 || q[3] < 1) refuse(shown_q() + ": B, H and D must be at least 1");
    if (k[1] < 1) refuse(shown_k() + ": it needs at least one KV head");
    if (q[1] % k[1] != 0)
        refuse(shown_q() + ", " + shown_k() + ": q's " + text(q[1]) + " heads are not a multiple of k's " + text(k[1]));
    if (k[3] != q[3]) refuse(shown_k() + ", " + shown_q() + ": head_dim of k and q differ");
    if (v[3] < 1) refuse(shown_v() + ": Dv must be at least 1");
    if (v[0] != k[0] || v[1] != k[1] || v[2] != k[2])
        refuse(shown_v() + ", " + shown_k() + ": v and k differ in more than their last axis");
    if (p.kv.sequences != q[0])
        refuse("kv holds " + text(p.kv.sequences) + " sequences, " + shown_q() + " has a batch of " + text(q[0]));
    if (!p.kv.block_table && k[0] < p.kv.sequences)
        refuse(shown_k() + ": fewer blocks than the " + text(p.kv.sequences) + " sequences, and no block table");
}

// The lengths of all sequences fit into what is stored. Returns the longest.
Index check_lengths(const KvView& kv, Index batch)
{
    if (!kv.length) refuse("kv.length is missing: one length per sequence");
    if (kv.kept_first < 0) refuse("kv.kept_first is negative: " + text(kv.kept_first));
    if (kv.blocks_per_sequence < 0) refuse("kv.blocks_per_sequence is negative: " + text(kv.blocks_per_sequence));
    const Index block_size = kv.k.extent[2];
    Index capacity = block_size;
    if (kv.block_table && __builtin_mul_overflow(block_size, kv.blocks_per_sequence, &capacity))
        refuse("kv.block_table: " + text(kv.blocks_per_sequence) + " blocks of " + text(block_size) +
               " exceed 64 bits");

    Index longest = 0;
    for (Index b = 0; b < batch; ++b) {
        const Index length = kv.length[b];
        if (length < 0 || length > capacity)
            refuse(at("kv_lengths", b) + " = " + text(length) + " is not within 0 … " + text(capacity) +
                   ", the keys that k " + text(kv.k) + " stores");
        longest = std::max(longest, length);
        Index seen;
        if (kv.evicted && (kv.evicted[b] < 0 || __builtin_add_overflow(length, kv.evicted[b], &seen)))
            refuse(at("kv.evicted", b) + " = " + text(kv.evicted[b]) + " is not a count of positions");
        if (!kv.block_table) continue;
        for (Index n = 0; n * block_size < length; ++n) {
            const Index block = kv.block_table[b * kv.blocks_per_sequence + n];
            if (block < 0 || block >= kv.k.extent[0])
                refuse(at("kv.block_table", b) + ": block " + text(n) + " is " + text(block) + ", k " + text(kv.k) +
                       " has " + text(kv.k.extent[0]));
        }
    }
    return longest;
}

// Kernels and the parallel path compute in float: from 1e-30 to 1e30 there is room for products of large numbers.
bool fits_float(double factor) { return factor == 0 || (std::fabs(factor) >= 1e-30 && std::fabs(factor) <= 1e30); }

void check_options(const AttentionOptions& o)
{
    if (o.scale && !std::isfinite(*o.scale)) refuse("scale must be a finite number");
    if (!std::isfinite(o.soft_cap) || o.soft_cap < 0) refuse("softcap must be a finite number, 0 (none) or more");
    if (o.scale && !fits_float(*o.scale)) refuse("scale is beyond float: neither 0 nor from 1e-30 to 1e30 in size");
    if (!fits_float(o.soft_cap)) refuse("softcap is beyond float: neither 0 nor from 1e-30 to 1e30");
    if (o.window < 0) refuse("window " + text(o.window) + " is negative");
    if (o.sinks < 0) refuse("sinks " + text(o.sinks) + " is negative");
    if (o.window > 0 && o.causal == Causal::none) refuse("a window requires causal");
    if (o.sinks > 0 && o.window == 0) refuse("sinks require a window");
}

void check_broadcast(const std::string& name, const Tensor& t, const Shape& full)
{
    bool fits = t.shape().size() == full.size();
    for (std::size_t axis = 0; fits && axis < full.size(); ++axis)
        fits = t.shape()[axis] == 1 || t.shape()[axis] == full[axis];
    if (!fits) refuse(name + " " + to_text(t.shape()) + " does not broadcast to [B, H, L, S] = " + to_text(full));
}

} // namespace

AttentionShape check(const AttentionProblem& p)
{
    check_tensor("q", p.q, Scales::never);
    check_tensor("k", p.kv.k, Scales::with_8_bits);
    check_tensor("v", p.kv.v, Scales::with_8_bits);
    check_heads_and_widths(p);
    check_options(p.options);

    const Index longest = check_lengths(p.kv, p.q.extent[0]);
    if (p.keys != 0 && p.keys < longest)
        refuse("keys = " + text(p.keys) + " is less than the longest sequence, " + text(longest));
    const AttentionShape shape{.B = p.q.extent[0],
                               .H = p.q.extent[1],
                               .Hkv = p.kv.k.extent[1],
                               .L = p.q.extent[2],
                               .S = std::max(p.keys, longest),
                               .D = p.q.extent[3],
                               .Dv = p.kv.v.extent[3]};
    const Shape full{shape.B, shape.H, shape.L, shape.S};
    count(full); // throws if the scores cannot be counted

    for (Index b = 0; p.query_length && b < shape.B; ++b)
        if (p.query_length[b] < 0 || p.query_length[b] > shape.L)
            refuse(at("query_length", b) + " = " + text(p.query_length[b]) + " is not within 0 … L = " + text(shape.L));
    if (p.bias) check_broadcast("bias", *p.bias, full);
    if (p.mask) {
        check_broadcast("mask", *p.mask, full);
        for (const double value : p.mask->values())
            if (value != 0 && value != 1)
                refuse("mask holds " + to_text(value) + "; only 0 (hidden) and 1 (visible) are allowed");
    }
    if (!p.sink_logits.empty() && static_cast<Index>(p.sink_logits.size()) != shape.H)
        refuse("sink_logits [" + std::to_string(p.sink_logits.size()) + "]: one per query head, H = " + text(shape.H));
    for (const double logit : p.sink_logits)
        if (!(logit < std::numeric_limits<double>::infinity())) refuse("sink_logits holds NaN or +inf");
    return shape;
}

} // namespace headroom
