#include "reference/verification/cases.h"

namespace headroom {
namespace {

using enum DType;
constexpr AttentionOptions causal{};
constexpr AttentionOptions full{.causal = Causal::none};
constexpr AttentionOptions top_left{.causal = Causal::top_left};
constexpr AttentionOptions window_16{.window = 16};
constexpr AttentionOptions window_16_sinks_4{.window = 16, .sinks = 4};
constexpr AttentionOptions soft_cap_5{.soft_cap = 5};
constexpr AttentionOptions scale_one_third{.scale = 1.0 / 3};

// Sizes that must work in every storage type. The blind spots of published tests are all here: 1 < Hkv < H, B > 1,
// L != S, unequal lengths, no multiple of a tile, one key, no key.
std::vector<Case> shapes()
{
    return {
        {"MHA 4, one key", {.Hkv = 4, .S = 1, .D = 64}, true},
        {"MHA 4, no key", {.Hkv = 4, .S = 0, .D = 64}},
        {"GQA 4/2, D 64, S 33", {.S = 33, .D = 64}, true},
        {"GQA 8/2, D 128, lengths 200 0 1 63 64 65",
         {.B = 6, .H = 8, .Hkv = 2, .S = 200, .D = 128, .lengths = {200, 0, 1, 63, 64, 65}},
         true},
        // In tiles of 64: 3 + 4 for 3 blocks, of which the second holds the end of one row and the beginning of the next.
        {"GQA 4/1, D 64, lengths 150 250", {.B = 2, .Hkv = 1, .S = 250, .D = 64, .lengths = {150, 250}}, true},
        {"GQA 14/2 (group of 7), D 128", {.B = 2, .H = 14, .S = 77, .D = 128, .lengths = {77, 40}}},
        {"GQA 8/1 (group of 8), D 128", {.B = 2, .H = 8, .Hkv = 1, .S = 150, .D = 128, .lengths = {150, 17}}},
        {"MQA 16, D 64", {.B = 2, .H = 16, .Hkv = 1, .S = 70, .D = 64, .lengths = {70, 31}}},
        {"GQA 32/2 (group of 16), D 128", {.H = 32, .Hkv = 2, .S = 100, .D = 128}},
        {"long: GQA 4/1, D 64, S 1100", {.H = 4, .Hkv = 1, .S = 1100, .D = 64}},
        {"D 1", {.B = 2, .S = 9, .D = 1, .lengths = {9, 4}}},
        {"D 37", {.B = 2, .S = 45, .D = 37, .lengths = {45, 3}}, true},
        {"D 80", {.S = 50, .D = 80}},
        {"D 256", {.S = 40, .D = 256}},
        {"D 64, Dv 48", {.S = 40, .D = 64, .Dv = 48}},
        {"window 16", {.B = 2, .S = 90, .D = 64, .lengths = {90, 10}, .options = window_16}, true},
        {"window 16, sinks 4", {.B = 2, .S = 90, .D = 64, .lengths = {90, 18}, .options = window_16_sinks_4}},
        {"soft cap 5", {.S = 40, .D = 64, .options = soft_cap_5}},
        {"scale 1/3", {.S = 40, .D = 64, .options = scale_one_third}},
        {"sink logits", {.B = 2, .S = 40, .D = 64, .lengths = {40, 0}, .sink_logits = true}},
        {"bias", {.S = 40, .D = 64, .bias = true}},
        {"mask", {.B = 2, .S = 40, .D = 64, .mask = true}},
        {"top-left, one query", {.S = 40, .D = 64, .options = top_left}},
        {"blocks of 16", {.B = 3, .H = 8, .S = 130, .D = 128, .lengths = {130, 0, 33}, .block = 16}, true},
        {"blocks of 1", {.B = 2, .H = 8, .S = 40, .D = 128, .lengths = {40, 7}, .block = 1}},
        {"blocks of 64", {.B = 2, .H = 8, .S = 130, .D = 64, .lengths = {130, 64}, .block = 64}},
        {"ring: evicted 25, kept first 4, window 16",
         {.S = 20, .D = 64, .options = window_16_sinks_4, .block = 1, .evicted = {25}, .kept_first = 4}},
        // More than one query.
        {"speculative: 4 queries behind a cache",
         {.B = 2, .H = 8, .L = 4, .S = 70, .D = 128, .lengths = {70, 33}, .options = causal},
         true},
        {"prefill 64, causal", {.H = 4, .Hkv = 2, .L = 64, .S = 64, .D = 64, .options = causal}, true},
        {"prefill 70, causal, D 128", {.H = 2, .Hkv = 1, .L = 70, .S = 70, .D = 128, .options = causal}},
        {"prefill 150, group of 4, D 128", {.H = 4, .Hkv = 1, .L = 150, .S = 150, .D = 128, .options = causal}},
        {"no mask, L 33, S 65", {.L = 33, .S = 65, .D = 64, .options = full}},
        {"chunk: 20 queries behind lengths 150 33",
         {.B = 2, .L = 20, .S = 150, .D = 128, .lengths = {150, 33}, .options = causal}},
        {"more queries than keys: L 40, S 25", {.H = 2, .Hkv = 1, .L = 40, .S = 25, .D = 128, .options = causal}},
        {"top-left, L 20, S 30", {.L = 20, .S = 30, .D = 64, .options = top_left}},
        {"prefill 50, window 16, sinks 4", {.L = 50, .S = 50, .D = 64, .options = window_16_sinks_4}},
        {"prefill 40, soft cap 5", {.L = 40, .S = 40, .D = 64, .options = soft_cap_5}},
        {"prefill 30, mask and bias", {.L = 30, .S = 30, .D = 64, .bias = true, .mask = true}},
        {"prefill 30, sink logits", {.L = 30, .S = 30, .D = 64, .sink_logits = true}},
        {"padded batch: 12 and 5 queries",
         {.B = 2, .L = 12, .S = 30, .D = 64, .lengths = {30, 14}, .query_lengths = {12, 5}}},
        {"prefill 21, D 37, Dv 5", {.L = 21, .S = 21, .D = 37, .Dv = 5}},
        {"chunk of 9, blocks of 16", {.B = 2, .H = 8, .L = 9, .S = 50, .D = 128, .lengths = {50, 20}, .block = 16}},
    };
}

// In f32, f16 and bf16. What a NaN that is seen makes of a row is NaN, of its neighbours nothing.
std::vector<Case> more_shapes()
{
    return {
        {"GQA 16/2 (group of 8), D 128", {.B = 2, .H = 16, .Hkv = 2, .S = 90, .D = 128, .lengths = {90, 33}}},
        {"D 24", {.B = 2, .S = 45, .D = 24, .lengths = {45, 3}}},
        {"D 192", {.S = 40, .D = 192}},
        {"soft cap 3000", {.S = 40, .D = 64, .options = {.soft_cap = 3000}}}, // hardly one: it must not cost digits
        {"a NaN in a query", {.B = 2, .H = 8, .S = 70, .D = 64, .lengths = {70, 33}, .nan_in_q = true}, true},
        {"a NaN in a value", {.B = 2, .S = 70, .D = 64, .lengths = {70, 33}, .nan_in_v = true}},
        {"prefill 30, a NaN in a key that half of the queries see",
         {.L = 30, .S = 30, .D = 64, .options = causal, .nan_in_k = true},
         true},
        {"prefill 30, a NaN in a value that half of the queries see",
         {.L = 30, .S = 30, .D = 64, .options = causal, .nan_in_v = true}},
        {"prefill 40, a NaN in a query, D 128", {.L = 40, .S = 40, .D = 128, .options = causal, .nan_in_q = true}},
    };
}

// 8-bit caches, whose scales must differ between tokens and between k and v for a swap to show.
std::vector<Case> eight_bit()
{
    std::vector<Case> list;
    for (const DType type : {i8, f8e4m3})
        for (const DType q_type : {f32, f16, bf16})
            for (const Scaling scaling : {Scaling::per_head_and_token, Scaling::none}) {
                if (type == i8 && scaling == Scaling::none) continue; // [-4, 4] needs a scale
                const std::string how = ", " + std::string(name(type)) +
                                        (scaling == Scaling::none ? " without scales" : " with a scale per token") +
                                        ", q " + std::string(name(q_type));
                Recipe r{.B = 3,
                         .H = 8,
                         .Hkv = 2,
                         .S = 130,
                         .D = 128,
                         .type = type,
                         .q_type = q_type,
                         .scaling = scaling,
                         .lengths = {130, 0, 65}};
                list.push_back({"GQA 8/2, D 128" + how, r, q_type == bf16});
                r.H = 32;
                list.push_back({"GQA 32/2, D 128" + how, r});
                r.H = 8, r.D = 64, r.block = 16;
                list.push_back({"blocks of 16, D 64" + how, r});
            }
    return list;
}

} // namespace

const std::vector<Case>& cases()
{
    static const std::vector<Case> list = [] {
        std::vector<Case> all;
        std::uint64_t seed = 1;
        for (const DType type : {f32, f16, bf16, f64})
            for (Case c : shapes()) {
                c.name += ", " + std::string(name(type));
                c.recipe.type = c.recipe.q_type = type;
                c.recipe.seed = ++seed;
                c.quick = c.quick && type != f64;
                all.push_back(std::move(c));
            }
        // Hundreds in q and k: a dot product beyond what f16 can hold must not overflow (report 19).
        all.push_back({"large numbers, f16", {.S = 20, .D = 128, .type = f16, .q_type = f16, .amplitude = 256}});
        all.push_back({"large numbers, f32", {.S = 20, .D = 128, .amplitude = 256}});
        for (Case c : eight_bit()) {
            c.recipe.seed = ++seed;
            all.push_back(std::move(c));
        }
        for (const DType type : {f32, f16, bf16})
            for (Case c : more_shapes()) {
                c.name += ", " + std::string(name(type));
                c.recipe.type = c.recipe.q_type = type;
                c.recipe.seed = ++seed;
                all.push_back(std::move(c));
            }
        all.push_back({"a NaN in a query, f8e4m3, q f16",
                       {.H = 8, .S = 70, .D = 64, .type = f8e4m3, .q_type = f16, .nan_in_q = true}});
        return all;
    }();
    return list;
}

} // namespace headroom
