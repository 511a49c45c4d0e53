#include "experiments/bench/decode_layers.h"

#include "experiments/bench/rotating_kv.h"
#include <memory>

namespace headroom {

std::vector<BenchRow> decode_layers(std::span<const LayerShape> shapes, int threads, const Alternation& how,
                                    bool in_cache)
{
    reset_peak_memory();
    using Layers = std::vector<std::unique_ptr<AttentionLayer>>;
    std::vector<Layers> all(shapes.size());
    std::vector<Launch> launches; // limit, step, limit, step, …
    for (std::size_t n = 0; n < shapes.size(); ++n) {
        Layers& layers = all[n];
        const auto one_more = [&] {
            layers.push_back(std::make_unique<AttentionLayer>(shapes[n], true, ScoreMemory::tiled, threads));
        };
        one_more();
        const Index cache = in_cache ? 0 : machine(threads).last_level_cache_bytes;
        const Index copies = RotatingKv::copies_beyond(cache, layers[0]->decode_bytes());
        while (static_cast<Index>(layers.size()) < copies) one_more();
        const auto layer = [&layers](int launch) -> AttentionLayer& {
            return *layers[static_cast<std::size_t>(launch) % layers.size()];
        };
        launches.push_back([layer, threads](int launch) { return read_ms(layer(launch).read_by_decode(), threads); });
        launches.push_back(timed([layer](int launch) { layer(launch).decode_step(); }));
    }
    const std::vector<Turns> turns = take_turns(launches, how);

    std::vector<BenchRow> rows;
    for (std::size_t n = 0; n < shapes.size(); ++n)
        rows.push_back({.case_name = "",
                        .impl = "parallel",
                        .type = DType::f32,
                        .time = timing(turns[2 * n + 1], turns[2 * n]),
                        .tokens = shapes[n].sequences,
                        .bytes = all[n][0]->decode_bytes(),
                        .flops = all[n][0]->flops(false),
                        .peak_rss_bytes = peak_memory_bytes()});
    return rows;
}

} // namespace headroom
