// A model's config.json, a GPU's memory and bandwidth: how many chats fit, and how fast they can be at most.
#include "reference/kv_cache/kv_cache.h"
#include "reference/planning/advice.h"
#include "reference/planning/fit.h"
#include "reference/planning/model.h"
#include <fmt/core.h>

using namespace headroom;

// Llama 3 8B: the numbers that decide.
const char* config = R"({
    "model_type": "llama", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
    "vocab_size": 128256, "max_position_embeddings": 8192
})";

int main()
{
    const ModelFacts model = model_from_text(config);
    const Geometry& gqa = model.geometry;
    const Index weight_bytes = 2 * *model.parameters.total;

    // Bytes per token, three times: by hand, from the file, and of a cache that is really allocated.
    const Index layers = 32, kv_heads = 8, head_dim = 4096 / 32;
    const Index by_hand = 2 * layers * kv_heads * head_dim * 2; // K and V; two bytes a number
    const KvGeometry geometry{
        .layers = layers, .kv_heads = kv_heads, .head_dim = head_dim, .value_dim = head_dim, .type = DType::bf16};
    const auto cache = cache_kind("preallocated").make(geometry, {.max_length = 1});
    fmt::print("parameters {}, weights {} bytes\n", *model.parameters.total, weight_bytes);
    fmt::print("cache per token: by hand {}, from the file {}, allocated {} bytes\n\n", by_hand,
               bytes_per_token(gqa, {}), cache->counters().reserved);

    // What fits beside the weights on one GPU, a tenth of which is kept free.
    const Gpu& h100 = gpu("h100");
    const Index context = 8192;
    PlanSettings settings;
    settings.memory = Memory{h100.memory_bytes, "80 GB"};
    const auto print_fit = [&](const char* how, const Geometry& g, const char* format) {
        settings.cache.format = kv_format(format);
        const Fit f = fit(g, settings, context, weight_bytes);
        fmt::print("{:16} a chat takes {:10} bytes, {:3} chats fit\n", how, sequence_bytes(g, settings.cache, context),
                   *f.largest_batch);
    };
    fmt::print("80 GB, {} tokens per chat, room for the cache {} bytes\n", context,
               fit(gqa, settings, context, weight_bytes).room_bytes);
    print_fit("MHA, bf16", as_mha(gqa), "bf16");
    print_fit("GQA, bf16", gqa, "bf16");
    print_fit("GQA, 8 bit", gqa, "i8");
    print_fit("MQA, bf16", as_mqa(gqa), "bf16");

    // A decode step reads the weights once for all chats and the cache of each: no GPU is faster than its memory.
    fmt::print("\nGQA, bf16, at 3.35 TB/s\n");
    settings.cache.format = kv_format("bf16");
    for (const Index chats : {1, 8, 15, 52}) {
        const Index read_weights = 2 * model.parameters.active,
                    read_cache = chats * read_bytes(gqa, settings.cache, context);
        const double seconds = double(read_weights + read_cache) / double(h100.bandwidth);
        fmt::print("{:2} chats: weights {:4.1f} GB, cache {:4.1f} GB, at least {:4.1f} ms, at most {:4.0f} tokens/s\n",
                   chats, double(read_weights) / 1e9, double(read_cache) / 1e9, 1e3 * seconds, double(chats) / seconds);
    }

    // What others chose.
    fmt::print("\n");
    for (const SizeClass& size : size_classes()) {
        const ClassSummary chosen = summarise(size);
        fmt::print("{:6} the article advises {}\n", size.name, article_row(size));
        fmt::print("       {} of {} published models are within that; {} of all keep {} KV heads\n",
                   chosen.within_article, chosen.models.size(), chosen.keep_usual, chosen.usual_kv);
    }
}
