#include "reference/kv_cache/kv_cache.h"
#include "tutorials/15_sizing_a_model/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    using namespace headroom;
    Examiner examiner;
    struct Known {
        const char* name;
        Model model;
        Index head_dim;
    };
    for (const Known& known : {Known{"Llama 7B", {32, 4096, 32, 32, 0}, 128},
                               {"Llama 3 8B", {32, 4096, 32, 8, 0}, 128},
                               {"Qwen3 0.6B", {28, 1024, 16, 8, 128}, 128},
                               {"Falcon 7B", {32, 4544, 71, 1, 0}, 64}})
        for (const DType type : {DType::f32, DType::bf16}) {
            // One token in a cache that is really allocated.
            const KvGeometry geometry{.layers = known.model.layers,
                                      .kv_heads = known.model.kv_heads,
                                      .head_dim = known.head_dim,
                                      .value_dim = known.head_dim,
                                      .type = type};
            const auto cache = cache_kind("preallocated").make(geometry, {.max_length = 1});
            examiner.near(std::string(known.name) + " in " + std::string(name(type)) + ": bytes per token",
                          static_cast<double>(bytes_per_token(known.model, byte_size(type))),
                          static_cast<double>(cache->counters().reserved));
        }
    return examiner.verdict("the cache holds kv_heads keys and values of head_dim numbers in each layer.\n");
}
