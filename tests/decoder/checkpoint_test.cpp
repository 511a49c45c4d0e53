// Checkpoints in safetensors, and checkpoints with pooled KV heads.
#include "tests/support/catch.h"

#include "reference/decoder/checkpoint.h"
#include "reference/decoder/llama2c.h"
#include "reference/decoder/pool_heads.h"
#include "tests/decoder/tiny.h"

using namespace headroom;

namespace {

const std::vector<int> tokens{1, 5, 39, 8, 17};

bool refused(const NamedTensors& file)
{
    try {
        decoder_from(file);
        return false;
    } catch (const std::invalid_argument& error) {
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return true;
    }
}

} // namespace

TEST_CASE("a safetensors checkpoint is read back to the bit")
{
    for (const bool shared : {true, false}) {
        const Decoder model = tiny_decoder(shared), again = decoder_from(safetensors_from(model));
        CHECK(again.config == model.config);
        CHECK(again.classifier.empty() == shared);
        CHECK(logits_without_cache(again, tokens) == logits_without_cache(model, tokens));
    }
}

TEST_CASE("a safetensors checkpoint that contradicts itself is refused")
{
    const Decoder model = tiny_decoder();
    CHECK_FALSE(refused(safetensors_from(model)));
    NamedTensors file = safetensors_from(model);
    file.metadata.clear();
    CHECK(refused(file));
    for (const std::string bad :
         {"", "[]", "{}", "{\"width\": 16}", "{\"width\": \"16\"}", "\xFF", "{\"width\": 1e99}"}) {
        file.metadata["headroom.decoder"] = bad;
        CHECK(refused(file));
    }
    const std::string good = safetensors_from(model).metadata.at("headroom.decoder");
    const std::pair<std::string, std::string> changes[] = {{"\"layers\":2", "\"layers\":3"},
                                                           {"\"layers\":2", "\"layers\":1"},
                                                           {"\"layers\":2", "\"layers\":9223372036854775807"},
                                                           {"\"kv_heads\":2", "\"kv_heads\":3"},
                                                           {"\"kv_heads\":2", "\"kv_heads\":0"},
                                                           {"\"kv_heads\":2", "\"kv_heads\":-2"},
                                                           {"\"head_dim\":4", "\"head_dim\":8"},
                                                           {"\"width\":16", "\"width\":2147483648"},
                                                           {"neighbouring", "half_split"},
                                                           {"\"rope_base\":10000.0", "\"rope_base\":\"x\""},
                                                           {"\"rope_base\":10000.0", "\"rope_base\":-1"},
                                                           {"\"rope_base\"", "\"rope_bass\""},
                                                           {"\"norm_epsilon\"", "\"epsilon\""},
                                                           {"\"rope_layout\"", "\"layout\""},
                                                           {"\"shared_classifier\"", "\"classifier\""},
                                                           {"\"shared_classifier\":false", "\"shared_classifier\":1"}};
    for (const auto& [from, to] : changes) {
        std::string text = good;
        REQUIRE(text.find(from) != std::string::npos);
        file.metadata["headroom.decoder"] = text.replace(text.find(from), from.size(), to);
        INFO(text);
        CHECK(refused(file));
    }
    for (const auto& [name, tensor] : safetensors_from(model).tensors) {
        NamedTensors without = safetensors_from(model);
        without.tensors.erase(name);
        CHECK(refused(without));
    }
}

TEST_CASE("pooling takes the mean of neighbouring KV heads")
{
    const Decoder model = tiny_decoder(), pooled = pool_kv_heads(model, 1);
    CHECK(pooled.config.kv_heads == 1);
    const Tensor before = load(model.layers[1].attention.k_proj), after = load(pooled.layers[1].attention.k_proj);
    REQUIRE(after.shape() == Shape{4, 16});
    for (Index d = 0; d < 4; ++d)
        for (Index e = 0; e < 16; ++e) CHECK(after(d, e) == Approx((before(d, e) + before(4 + d, e)) / 2).margin(1e-7));
    CHECK_THROWS_AS(pool_kv_heads(model, 3), std::invalid_argument);
    CHECK_THROWS_AS(pool_kv_heads(model, 0), std::invalid_argument);
    CHECK_THROWS_AS(pool_kv_heads(model, 4), std::invalid_argument);
}

TEST_CASE("pooling heads that are equal changes nothing but the bytes")
{
    Decoder model = tiny_decoder();
    for (LayerWeights& layer : model.layers)
        for (StoredTensor* part : {&layer.attention.k_proj, &layer.attention.v_proj}) {
            Tensor rows = load(*part);
            for (Index d = 0; d < 4; ++d)
                for (Index e = 0; e < 16; ++e) rows(4 + d, e) = rows(d, e);
            *part = store(rows, DType::f32);
        }
    const Decoder pooled = pool_kv_heads(model, 1);
    CHECK(logits_without_cache(pooled, tokens) == logits_without_cache(model, tokens));
    CHECK(llama2c_file(model, 0).size() - llama2c_file(pooled, 0).size() ==
          2 * 2 * 4 * 16 * 4); // layers, K and V, D, E
}
