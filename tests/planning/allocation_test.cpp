// Calculated bytes against caches that are really allocated: every kind, every storage type.
#include "reference/kv_cache/kv_cache.h"
#include "reference/planning/allocation.h"
#include "reference/planning/model.h"
#include "tests/planning/config_index.h"
#include "tests/support/catch.h"
#include "tests/support/shared_data.h"
#include <set>

using namespace headroom;

namespace {

constexpr Index layers = 2, sequences = 3, tokens = 40, page = 16;

// The model with two layers of the kind of its first cache.
Geometry scaled_down(Geometry g)
{
    for (const LayerGeometry& layer : Geometry(g).layers)
        if (layer.owns_cache()) {
            g.layers.assign(layers, layer);
            break;
        }
    g.cross = {};
    return g;
}

std::unique_ptr<KvCache> allocate(std::string_view kind, const Geometry& g, const KvFormat& format)
{
    const LayerGeometry& layer = g.layers.front();
    return cache_kind(kind).make(
        allocatable(layer, layers, sequences, format),
        {.max_length = tokens, .initial = tokens, .block = page, .window = layer.window, .longest_append = 1});
}

void append_tokens(KvCache& cache, Index count)
{
    const KvGeometry& g = cache.geometry();
    const Tensor k({g.sequences, g.kv_heads, 1, g.head_dim}, 0.5), v({g.sequences, g.kv_heads, 1, g.value_dim}, 0.5);
    const std::vector<Index> one(static_cast<std::size_t>(g.sequences), 1);
    for (Index t = 0; t < count; ++t) {
        cache.begin_step(one);
        for (Index layer = 0; layer < g.layers; ++layer) cache.write(layer, k, v);
        cache.end_step();
    }
}

KvSettings stored_as(const char* format, Index block = 1)
{
    KvSettings s;
    s.format = kv_format(format);
    s.page = block;
    return s;
}

const std::vector<const char*> formats{"f32", "f16", "bf16", "f8e4m3", "i8"};
const std::vector<const char*> own_configs{"mha.json", "gqa.json",    "mqa.json",
                                           "mla.json", "window.json", "unequal_widths.json"};

} // namespace

TEST_CASE("every cache kind reserves and holds exactly the calculated bytes")
{
    for (const char* config : own_configs)
        for (const char* format : formats) {
            const Geometry g = scaled_down(read_model(test_data(std::filesystem::path("configs") / config)).geometry);
            const bool window = g.layers.front().window > 0;
            KvSettings all = stored_as(format), pages = stored_as(format, page);
            all.eviction = pages.eviction = Eviction::none;
            for (const char* kind : {"concat", "preallocated", "growing", "paged", "ring"}) {
                if ((std::string(kind) == "ring") != window && window) continue; // only a ring evicts
                if (std::string(kind) == "ring" && !window) continue;
                INFO(config << " " << format << " " << kind);
                const auto cache = allocate(kind, g, kv_format(format));
                append_tokens(*cache, tokens);
                const Index kept =
                    window ? kv_bytes(g, stored_as(format), tokens, sequences) : kv_bytes(g, all, tokens, sequences);
                CHECK(cache->counters().live == kept);
                CHECK(cache->counters().reserved ==
                      (std::string(kind) == "paged" ? kv_bytes(g, pages, tokens, sequences) : kept));
            }
        }
}

TEST_CASE("a cache that has not evicted yet holds every token of a window layer")
{
    const Geometry g = scaled_down(read_model(test_data("configs/window.json")).geometry);
    REQUIRE(g.layers.front().window == 24);
    for (const Index count : {1, 23, 24, 25, 40}) {
        const auto cache = allocate("ring", g, kv_format("bf16"));
        append_tokens(*cache, count);
        CHECK(cache->counters().live == kv_bytes(g, stored_as("bf16"), count, sequences));
    }
}

TEST_CASE("the caches of all real models, scaled down in layers, take the calculated bytes")
{
    for (const IndexRow& row : config_index()) {
        INFO(row.name());
        const Geometry g = scaled_down(read_model(row.config()).geometry);
        for (const char* format : formats) {
            KvSettings s = stored_as(format), pages = stored_as(format, page);
            pages.eviction = Eviction::none;
            if (const LayerGeometry& layer = g.layers.front(); layer.window > 0) {
                if (layer.window > 512) continue; // the ring of a wide window is large; its row is the same
                CHECK(allocate("ring", g, s.format)->counters().reserved ==
                      kv_bytes(g, s, layer.window + 1, sequences));
            }
            s.eviction = Eviction::none;
            CHECK(allocate("preallocated", g, s.format)->counters().reserved == kv_bytes(g, s, tokens, sequences));
            CHECK(allocate("paged", g, s.format)->counters().reserved == kv_bytes(g, pages, tokens, sequences));
        }
    }
}

TEST_CASE("what no cache can hold is refused")
{
    const Geometry g = read_model(test_data("configs/gqa.json")).geometry;
    CHECK_THROWS_AS(allocatable(g.layers.front(), 1, 1, kv_format("i4")), std::invalid_argument);
    LayerGeometry none;
    none.role = Role::no_attention;
    CHECK_THROWS_AS(allocatable(none, 1, 1, kv_format("bf16")), std::invalid_argument);
}
