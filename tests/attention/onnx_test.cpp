// The vectors of the ONNX standard for Attention, RotaryEmbedding and TensorScatter, said in our contract's words.
//
//     3-D inputs          [B, L, H * D]: heads lie beside each other in a row
//     past_key, -value    come before the new keys
//     attn_mask           bool: our mask; float: our bias
//     nonpad_kv_seqlen    our kv_lengths
//     is_causal           top-left; behind a past of P keys, query i stands at P + i; with nonpad_kv_seqlen, bottom-right
//     qk_matmul_output    mode 0: our scores, 1: after the soft cap, 2: our masked_scores, 3: our weights
#include "reference/attention/attention.h"
#include "reference/attention/online.h"
#include "reference/attention/rope.h"
#include "reference/contract/problem_file.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_case.h"
#include "tests/support/shared_data.h"
#include <cmath>
#include <numeric>

using namespace headroom;

namespace {

// fp32 within 1e-6; fp16 within one unit of the last place (10 bits behind the leading one, 2^-24 the smallest).
void expect(const Tensor& got, const OnnxTensor& expected)
{
    REQUIRE(got.shape() == expected.values.shape());
    for (std::size_t n = 0; n < got.values().size(); ++n) {
        const double a = got.values()[n], b = expected.values.values()[n];
        if (a == b) continue;
        double bound = 1e-6;
        if (expected.dtype == "float16")
            bound = std::fmax(0x1p-24, std::exp2(std::floor(std::log2(std::fabs(b))) - 10));
        if (!(std::fabs(a - b) <= bound)) FAIL_CHECK("element " << n << " is " << a << ", expected " << b);
    }
}

Tensor split_heads(const Tensor& x, Index heads) // [B, L, H * D] -> [B, H, L, D]
{
    if (x.shape().size() == 4) return x;
    const Index B = x.extent(0), L = x.extent(1), D = x.extent(2) / heads;
    Tensor split({B, heads, L, D});
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < heads; ++h)
            for (Index i = 0; i < L; ++i)
                for (Index d = 0; d < D; ++d) split(b, h, i, d) = x(b, i, h * D + d);
    return split;
}

Tensor join_heads(const Tensor& x) // the way back
{
    const Index B = x.extent(0), H = x.extent(1), L = x.extent(2), D = x.extent(3);
    Tensor joined({B, L, H * D});
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index i = 0; i < L; ++i)
                for (Index d = 0; d < D; ++d) joined(b, i, h * D + d) = x(b, h, i, d);
    return joined;
}

Tensor concatenate(const Tensor& past, const Tensor& fresh) // along the keys
{
    const Index B = past.extent(0), H = past.extent(1), P = past.extent(2), S = fresh.extent(2);
    Tensor both({B, H, P + S, past.extent(3)});
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index j = 0; j < P + S; ++j)
                std::ranges::copy(j < P ? past.row(b, h, j) : fresh.row(b, h, j - P), both.row(b, h, j).begin());
    return both;
}

Tensor with_rows(const Tensor& x, Index rows) // the first `rows` of the third axis, zeros where there are fewer
{
    Tensor y({x.extent(0), x.extent(1), rows, x.extent(3)});
    for (Index b = 0; b < x.extent(0); ++b)
        for (Index h = 0; h < x.extent(1); ++h)
            for (Index i = 0; i < std::min(rows, x.extent(2)); ++i)
                std::ranges::copy(x.row(b, h, i), y.row(b, h, i).begin());
    return y;
}

Tensor four_axes(const Tensor& x)
{
    Shape shape = x.shape();
    shape.insert(shape.begin(), 4 - shape.size(), 1);
    return Tensor(shape, std::vector<double>(x.values().begin(), x.values().end()));
}

void check_attention(const OnnxCase& test)
{
    const Tensor& Q = test.input("Q");
    Tensor q = split_heads(Q, static_cast<Index>(test.number("q_num_heads", 0)));
    const Index kv_heads = static_cast<Index>(test.number("kv_num_heads", 0)), L = q.extent(2);
    Tensor k = split_heads(test.input("K"), kv_heads), v = split_heads(test.input("V"), kv_heads);
    const Index new_keys = k.extent(2);
    if (test.has("past_key")) {
        k = concatenate(test.input("past_key"), k);
        v = concatenate(test.input("past_value"), v);
        expect(k, test.outputs.at("present_key"));
        expect(v, test.outputs.at("present_value"));
    }

    OwnedProblem p;
    p.options.soft_cap = test.number("softcap", 0);
    if (test.numbers.contains("scale")) p.options.scale = test.number("scale", 0);
    if (test.has("nonpad_kv_seqlen"))
        for (const double length : test.input("nonpad_kv_seqlen").values())
            p.kv_lengths.push_back(static_cast<Index>(length));

    // Behind a past, as many queries as new keys end where the keys end; what is missing is filled up and cut off again.
    const bool causal = test.number("is_causal", 0) != 0, behind_past = causal && test.has("past_key");
    p.options.causal = !causal                                       ? Causal::none
                       : behind_past || test.has("nonpad_kv_seqlen") ? Causal::bottom_right
                                                                     : Causal::top_left;
    const Index rows = behind_past ? new_keys : L;
    REQUIRE(rows >= L);
    if (test.has("attn_mask")) {
        Tensor mask = four_axes(test.input("attn_mask"));
        if (mask.extent(2) != 1) mask = with_rows(mask, rows);
        (test.inputs.at("attn_mask").dtype == "bool" ? p.mask : p.bias) = mask;
    }
    const DType type = test.inputs.at("Q").dtype == "float16" ? DType::f16 : DType::f32;
    p.q = store(with_rows(q, rows), type);
    p.k = store(k, type);
    p.v = store(v, type);

    const AttentionStages all = attention(p.problem());
    const auto as_given = [&](const Tensor& output) {
        const Tensor cut = with_rows(output, L);
        return Q.shape().size() == 3 ? join_heads(cut) : cut;
    };
    expect(as_given(all.output), test.outputs.at("Y"));
    expect(as_given(online_attention(p.problem(), {.tile = 4}).output), test.outputs.at("Y"));
    if (!test.outputs.contains("qk_matmul_output")) return;
    const int mode = static_cast<int>(test.number("qk_matmul_output_mode", 0));
    Tensor capped = all.scores;
    if (p.options.soft_cap > 0)
        for (double& score : capped.values()) score = p.options.soft_cap * std::tanh(score / p.options.soft_cap);
    const Tensor* stages[] = {&all.scores, &capped, &all.masked_scores, &all.weights};
    expect(with_rows(*stages[mode], L), test.outputs.at("qk_matmul_output"));
}

void check_rotary_embedding(const OnnxCase& test)
{
    const Tensor& x = test.input("input");
    const Tensor &cos = test.input("cos_cache"), &sin = test.input("sin_cache");
    std::vector<Index> positions(static_cast<std::size_t>(x.extent(0) * x.extent(2)));
    const bool given = test.has("position_ids"); // else cos and sin hold a row per sequence and token
    if (given)
        std::ranges::copy(test.input("position_ids").values(), positions.begin());
    else
        std::iota(positions.begin(), positions.end(), Index{0});
    const auto table_of = [](const Tensor& t) {
        const Index pairs = t.shape().back();
        return Tensor({static_cast<Index>(t.values().size()) / pairs, pairs}, {t.values().begin(), t.values().end()});
    };
    const RopeTable table(table_of(cos), table_of(sin));
    const double width = test.number("rotary_embedding_dim", 0);
    CHECK(table.rotary_dim() == (width > 0 ? static_cast<Index>(width) : x.extent(3)));
    const RopeLayout layout =
        test.number("interleaved", 0) != 0 ? RopeLayout::neighbouring_pairs : RopeLayout::half_split;
    expect(rope(x, positions, table, layout), test.outputs.at("output"));
}

// Writes rows into a cache at a place per sequence; circular: behind the last slot comes the first.
void check_tensor_scatter(const OnnxCase& test)
{
    const auto with_heads = [](const Tensor& x) { // [B, S, D] -> [B, 1, S, D]
        Shape shape = x.shape();
        if (shape.size() == 3) shape.insert(shape.begin() + 1, 1);
        return Tensor(shape, std::vector<double>(x.values().begin(), x.values().end()));
    };
    StoredTensor cache = store(with_heads(test.input("past_cache")), DType::f32);
    const Tensor update = with_heads(test.input("update"));
    const bool circular = test.texts.contains("mode") && test.texts.at("mode") == "circular";
    const Index slots = cache.shape()[2];
    for (Index b = 0; b < update.extent(0); ++b)
        for (Index h = 0; h < update.extent(1); ++h)
            for (Index i = 0; i < update.extent(2); ++i) {
                const Index at = static_cast<Index>(test.input("write_indices")(b)) + i;
                REQUIRE((circular || at < slots));
                cache.write_row(b, h, at % slots, update.row(b, h, i));
            }
    const Tensor written = load(cache);
    const OnnxTensor& expected = test.outputs.at("present_cache");
    expect(Tensor(expected.values.shape(), {written.values().begin(), written.values().end()}), expected);
}

} // namespace

TEST_CASE("all 58 vectors of the ONNX standard")
{
    const std::filesystem::path folder = shared_data("data/onnx_attention");
    if (folder.empty()) return;
    int ran = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const OnnxCase test = read_onnx_case(entry.path());
        INFO(test.name);
        if (test.op == "Attention")
            check_attention(test);
        else if (test.op == "RotaryEmbedding")
            check_rotary_embedding(test);
        else if (test.op == "TensorScatter")
            check_tensor_scatter(test);
        else
            FAIL("unknown operator " << test.op);
        ++ran;
    }
    CHECK(ran == 58);
}
