#include "reference/planning/fit.h"
#include "reference/planning/model.h"
#include "tests/support/catch.h"
#include <cmath>

using namespace headroom;

namespace {

Geometry llama(const std::string& more = R"(, "sliding_window": null)")
{
    return model_from_text(
               R"({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
                              "num_key_value_heads": 8)" +
               more + "}")
        .geometry; // 131072 bytes a token
}

PlanSettings with_memory(Index bytes, Index reserve)
{
    PlanSettings s;
    s.memory = Memory{bytes, "test"};
    s.reserve_bytes = reserve;
    return s;
}

} // namespace

TEST_CASE("the longest context fits to the token, and one token more does not")
{
    const Index room = Index{1000} * 131072;
    CHECK(fit(llama(), with_memory(room + 700, 200), 100, 500).longest_context == 1000);
    CHECK(fit(llama(), with_memory(room + 699, 200), 100, 500).longest_context == 999);
    PlanSettings batch = with_memory(room, 0);
    batch.batch = 3;
    CHECK(fit(llama(), batch, 100, 0).longest_context == 333);
    batch.cache.page = 16;
    CHECK(fit(llama(), batch, 100, 0).longest_context == 320);
}

TEST_CASE("the largest batch counts whole sequences")
{
    const Index room = Index{1000} * 131072;
    CHECK(fit(llama(), with_memory(room, 0), 100, 0).largest_batch == 10);
    CHECK(fit(llama(), with_memory(room, 0), 101, 0).largest_batch == 9);
    CHECK(fit(llama(), with_memory(room, 0), 1001, 0).largest_batch == 0);
}

TEST_CASE("a cache that stops growing fits any context, or none")
{
    const Geometry window = llama(R"(, "sliding_window": 64)");
    CHECK(fit(window, with_memory(Index{64} * 131072, 0), 1000, 0).longest_context == std::nullopt);
    CHECK(fit(window, with_memory(Index{64} * 131072 - 1, 0), 1000, 0).longest_context == 63);
}

TEST_CASE("the reserve is a tenth unless stated, and weights that do not fit leave nothing")
{
    PlanSettings s;
    s.memory = Memory{1000, "test"};
    const Fit f = fit(llama(), s, 100, 901);
    CHECK(f.reserve_bytes == 100);
    CHECK(f.room_bytes == -1);
    CHECK(f.longest_context == 0);
    CHECK(f.largest_batch == 0);
    CHECK_THROWS_AS(fit(llama(), with_memory(10, 11), 1, 0), std::invalid_argument);
}

TEST_CASE("ranks share the weights and the KV heads")
{
    PlanSettings s = with_memory(Index{100} * 131072, 0);
    s.cache.ranks = 4;
    const Fit f = fit(llama(), s, 100, 41);
    CHECK(f.weight_bytes == 11);
    CHECK(f.longest_context == 399);
}

TEST_CASE("whole blocks: a window that is not aligned touches one block more")
{
    const Geometry window = llama(R"(, "sliding_window": 64)");
    KvSettings s;
    s.page = 16;
    CHECK(kv_bytes(window, s, 1, 1) == 16 * 131072);
    CHECK(kv_bytes(window, s, 64, 1) == 64 * 131072);
    CHECK(kv_bytes(window, s, 65, 1) == 80 * 131072);
    CHECK(kv_bytes(window, s, 100000, 1) == 80 * 131072);
    s.eviction = Eviction::none;
    CHECK(kv_bytes(window, s, 100, 1) == 112 * 131072);
}

TEST_CASE("a decode step reads the cache once per layer that attends")
{
    const Geometry window = llama(R"(, "sliding_window": 64)");
    CHECK(read_bytes(window, {}, 1000) == 64 * 131072);
    CHECK(read_bytes(llama(), {}, 1000) == 1000 * 131072);
}
