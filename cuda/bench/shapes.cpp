#include "cuda/bench/shapes.h"

#include <cstring>

namespace headroom::cuda {
namespace {

// Numbers in ±[0.5, 1), whatever the bits: sign and mantissa are random, the exponent is set.
void fill(StoredTensor& tensor, std::uint64_t seed)
{
    std::uint64_t keep = ~std::uint64_t{0}, set = 0; // int8: any byte is a number
    if (tensor.type() == DType::f16) keep = 0x83ff83ff83ff83ff, set = 0x3800380038003800;
    if (tensor.type() == DType::bf16) keep = 0x807f807f807f807f, set = 0x3f003f003f003f00;
    if (tensor.type() == DType::f8e4m3) keep = 0x8787878787878787, set = 0x3030303030303030;
    const std::span<std::byte> bytes = tensor.bytes();
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17; // xorshift64
        const std::uint64_t eight = (seed & keep) | set;
        std::memcpy(bytes.data() + i, &eight, 8);
    }
}

Scaling scaling(DType type) { return type == DType::i8 ? Scaling::per_head_and_token : Scaling::none; }

} // namespace

Index BenchShape::kv_bytes() const { return 2 * B * Hkv * S * (D * byte_size(type) + (type == DType::i8 ? 4 : 0)); }
Index BenchShape::bytes() const { return kv_bytes() + B * H * L * D * (byte_size(q_type()) + 4); }
Index BenchShape::flop() const { return 4 * B * H * L * S * D / (causal && L > 1 ? 2 : 1); }

std::vector<BenchShape> decode_shapes(bool tiny)
{
    using enum DType;
    if (tiny)
        return {{"tiny GQA 8/2", 2, 8, 2, 1, 96, 64, bf16, true}, {"tiny GQA 8/2, int8", 1, 8, 2, 1, 96, 64, i8, true}};
    return {
        {"MHA 16, D 64, B 8, 1k", 8, 16, 16, 1, 1024, 64, f16, true},
        {"GQA 16/4, D 64, B 8, 1k", 8, 16, 4, 1, 1024, 64, f16, true},
        {"MQA 16, D 64, B 8, 1k", 8, 16, 1, 1, 1024, 64, f16, true},
        {"8B: GQA 32/8, B 1, 32k", 1, 32, 8, 1, 32768, 128, bf16, true},
        {"8B: GQA 32/8, B 8, 32k", 8, 32, 8, 1, 32768, 128, bf16, true},
        {"8B: GQA 32/8, B 32, 4k", 32, 32, 8, 1, 4096, 128, bf16, true},
        {"8B: GQA 32/8, B 8, 32k, int8", 8, 32, 8, 1, 32768, 128, i8, true},
        {"8B: GQA 32/8, B 8, 32k, e4m3", 8, 32, 8, 1, 32768, 128, f8e4m3, true},
        {"70B: GQA 64/8, B 1, 32k", 1, 64, 8, 1, 32768, 128, bf16, true},
        {"70B on 8 GPUs: MQA 8, B 1, 32k", 1, 8, 1, 1, 32768, 128, bf16, true},
        {"8B: 4 drafted tokens, B 8, 32k", 8, 32, 8, 4, 32768, 128, bf16, true},
    };
}

std::vector<BenchShape> prefill_shapes(bool tiny)
{
    using enum DType;
    if (tiny) return {{"tiny causal 40", 1, 2, 1, 40, 40, 128, bf16, true}};
    return {
        {"8B: GQA 32/8, 2 x 4k, causal", 2, 32, 8, 4096, 4096, 128, bf16, true},
        {"MHA 16, 16k", 1, 16, 16, 16384, 16384, 128, bf16, false},
        {"MHA 16, 16k, causal", 1, 16, 16, 16384, 16384, 128, bf16, true},
    };
}

BenchProblem::BenchProblem(const BenchShape& s)
    : q_({s.B, s.H, s.L, s.D}, s.q_type()), k_({s.B, s.Hkv, s.S, s.D}, s.type, scaling(s.type)),
      v_({s.B, s.Hkv, s.S, s.D}, s.type, scaling(s.type)), lengths_(static_cast<std::size_t>(s.B), s.S)
{
    fill(q_, 88172645463325252), fill(k_, 2463534242), fill(v_, 521288629);
    for (float& scale : k_.scales()) scale = 1.0f / 256;
    problem_.q = q_.view();
    problem_.kv.k = k_.view();
    problem_.kv.v = v_.view();
    problem_.kv.sequences = s.B;
    problem_.kv.length = lengths_.data();
    if (!s.causal) problem_.options.causal = Causal::none;
}

} // namespace headroom::cuda
