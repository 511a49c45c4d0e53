#include "reference/decoder/weight_list.h"

#include <array>

namespace headroom {
namespace {

using Config = const DecoderConfig&;

// The member is chosen by a lambda without state, once for reading and once for writing.
template <class Member> LayerWeight entry(std::string_view name, Shape (*shape)(Config), Member)
{
    return {name, shape, [](LayerWeights& l) -> StoredTensor& { return Member{}(l); },
            [](const LayerWeights& l) -> const StoredTensor& { return Member{}(l); }};
}

} // namespace

std::span<const LayerWeight> layer_weights()
{
    static const std::array list{
        entry(
            "input_layernorm.weight", [](Config c) { return Shape{c.width}; },
            [](auto& l) -> auto& { return l.attention_norm; }),
        entry(
            "self_attn.q_proj.weight",
            [](Config c) {
                return Shape{c.q_heads * c.head_dim, c.width};
            },
            [](auto& l) -> auto& { return l.attention.q_proj; }),
        entry(
            "self_attn.k_proj.weight",
            [](Config c) {
                return Shape{c.kv_heads * c.head_dim, c.width};
            },
            [](auto& l) -> auto& { return l.attention.k_proj; }),
        entry(
            "self_attn.v_proj.weight",
            [](Config c) {
                return Shape{c.kv_heads * c.head_dim, c.width};
            },
            [](auto& l) -> auto& { return l.attention.v_proj; }),
        entry(
            "self_attn.o_proj.weight",
            [](Config c) {
                return Shape{c.width, c.q_heads * c.head_dim};
            },
            [](auto& l) -> auto& { return l.attention.o_proj; }),
        entry(
            "post_attention_layernorm.weight", [](Config c) { return Shape{c.width}; },
            [](auto& l) -> auto& { return l.ffn_norm; }),
        entry(
            "mlp.gate_proj.weight",
            [](Config c) {
                return Shape{c.hidden, c.width};
            },
            [](auto& l) -> auto& { return l.ffn.gate; }),
        entry(
            "mlp.down_proj.weight",
            [](Config c) {
                return Shape{c.width, c.hidden};
            },
            [](auto& l) -> auto& { return l.ffn.down; }),
        entry(
            "mlp.up_proj.weight",
            [](Config c) {
                return Shape{c.hidden, c.width};
            },
            [](auto& l) -> auto& { return l.ffn.up; }),
    };
    return list;
}

} // namespace headroom
