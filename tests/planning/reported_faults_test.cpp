// Faults that users of calculators and caches have reported publicly, each with its right answer.
#include "reference/planning/model.h"
#include "reference/planning/plan.h"
#include "tests/support/catch.h"
#include "tests/support/shared_data.h"

using namespace headroom;

namespace {

const char* llama2_7b =
    R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32})";
const char* llama3_8b =
    R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
                            "num_key_value_heads": 8})";
const char* deepseek_v3 =
    R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128, "num_hidden_layers": 61,
    "num_key_value_heads": 128, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128})";
const char* gpt_oss_20b =
    R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_attention_heads": 64, "num_hidden_layers": 24,
    "num_key_value_heads": 8, "head_dim": 64, "sliding_window": 128})";

Geometry geometry(const std::string& text) { return model_from_text(text).geometry; }

std::string with_heads(Index layers, Index q_heads, Index kv_heads)
{
    return R"({"model_type": "llama", "head_dim": 128, "num_attention_heads": )" + std::to_string(q_heads) +
           R"(, "num_key_value_heads": )" + std::to_string(kv_heads) + R"(, "num_hidden_layers": )" +
           std::to_string(layers) + "}";
}

} // namespace

TEST_CASE("fault 11: no extra head factor, and KV heads times head_dim instead of the model's width")
{
    CHECK(bytes_per_token(geometry(llama2_7b), {}) == 524288);
    CHECK(bytes_per_token(geometry(llama3_8b), {}) == 131072);
}

TEST_CASE("fault 13: window layers store tokens too, up to the window")
{
    const Geometry g = geometry(gpt_oss_20b);
    const KvSettings s;
    CHECK(kv_bytes(g, s, 1, 1) == 49152);
    CHECK(kv_bytes(g, s, 128, 1) == 6291456);
    CHECK(kv_bytes(g, s, 129, 1) == 6316032);
    CHECK(kv_bytes(g, s, 131072, 1) == 3224371200);
}

TEST_CASE("fault 14: a latent cache and an expanded one are two answers with two labels")
{
    const Geometry g = geometry(deepseek_v3);
    KvSettings s;
    CHECK(bytes_per_token(g, s) == 70272);
    CHECK(kv_bytes(g, s, 65536, 1) == 4605345792);
    CHECK(bytes_per_token_expanded(g, s) == 4997120);
    s.format = kv_format("i4");
    CHECK(kv_bytes(g, s, 65536, 1) == 1151336448);
}

TEST_CASE("fault 16: groups of ChatGLM are KV heads, and a bare number of groups is refused")
{
    const Geometry g =
        geometry(R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "num_layers": 28,
        "kv_channels": 128, "multi_query_attention": true, "multi_query_group_num": 2})");
    CHECK(g.layers.front().kv_heads == 2);
    CHECK(bytes_per_token(g, {}) == 28672);
    CHECK_THROWS_WITH(
        geometry(R"({"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 2, "n_kv_groups": 8})"),
        containing("groups"));
}

TEST_CASE("fault 17: a cache holds KV heads, not query heads")
{
    CHECK(kv_bytes(geometry(llama3_8b), {}, 8192, 1) == 1073741824);
    CHECK(kv_bytes(as_mha(geometry(llama3_8b)), {}, 8192, 1) == Index{4} * 1073741824);
}

TEST_CASE("fault 22: sizes beyond 2^32 are exact, and beyond 2^63 - 1 refused")
{
    const Geometry g = geometry(with_heads(126, 128, 8)); // 516096 bytes a token
    CHECK(kv_bytes(g, {}, 131072, 1) == 67645734912);
    const Index longest = 9223372036854775807 / 516096;
    CHECK(kv_bytes(g, {}, longest, 1) == longest * 516096);
    CHECK_THROWS_AS(kv_bytes(g, {}, longest + 1, 1), std::overflow_error);
    CHECK_THROWS_AS(kv_bytes(g, {}, Index{1} << 40, Index{1} << 20), std::overflow_error);
}

TEST_CASE("fault 28: more ranks than KV heads replicate them, indivisible is refused")
{
    const Geometry g = geometry(with_heads(80, 64, 8));
    KvSettings s;
    for (const auto& [ranks, bytes] : {std::pair<Index, Index>{1, 327680}, {4, 81920}, {8, 40960}, {16, 40960}}) {
        s.ranks = ranks;
        CHECK(bytes_per_token(g, s) == bytes);
    }
    CHECK(16 * bytes_per_token(g, s) == 655360);
    const Geometry ten = geometry(with_heads(1, 40, 10));
    s.ranks = 4;
    CHECK_THROWS_WITH(bytes_per_token(ten, s), containing("10 KV heads"));
    s.ranks = 16; // more than heads, but some heads would be kept twice and some once
    CHECK_THROWS_WITH(bytes_per_token(ten, s), containing("16 ranks"));
    s.ranks = 20;
    CHECK(bytes_per_token(ten, s) == 2 * 128 * 2);
}

TEST_CASE("fault 29: scales of 8-bit caches take bytes of their own")
{
    KvSettings s;
    s.format = kv_format("i8");
    CHECK(bytes_per_token(geometry(llama3_8b), s) == 32 * 8 * 2 * (128 + 4));
    s.format.scaling = Scaling::per_tensor;
    CHECK(bytes_per_token(geometry(llama3_8b), s) == 65536);
}
