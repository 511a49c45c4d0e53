#include "experiments/bench/tiny.h"

#include "experiments/bench/rotating_kv.h"
#include "experiments/implementations.h"
#include "reference/tensor/random.h"

namespace headroom {

const std::vector<BenchCase>& tiny_shapes()
{
    static const std::vector<BenchCase> list = [] {
        std::vector<BenchCase> all;
        const auto add = [&](Index B, Index H, Index Hkv, Index D, Index L, Index S) {
            std::string name = "tiny";
            for (const Index n : {B, H, Hkv, D, L, S}) name += (name == "tiny" ? '/' : 'x') + std::to_string(n);
            all.push_back({name, B, H, Hkv, D, L, S, {DType::f32}, true});
        };
        add(1, 1, 1, 8, 1, 1);
        add(1, 4, 2, 16, 1, 8);
        add(1, 4, 2, 16, 8, 8);
        add(1, 4, 2, 64, 1, 64);
        add(1, 8, 2, 64, 16, 16);
        add(8, 16, 4, 64, 1, 16);
        add(1, 32, 8, 128, 1, 16);
        add(1, 32, 8, 128, 1, 64);
        add(1, 32, 8, 128, 1, 256);
        add(1, 8, 2, 64, 64, 64);
        return all;
    }();
    return list;
}

std::vector<TinyRow> tiny(const BenchSettings& settings)
{
    const std::vector<Implementation> list = implementations({.threads = settings.threads});
    Implementation one = parallel_implementation({.threads = 1});
    one.name = "parallel, one thread";
    const std::vector<const Implementation*> compared{&find(list, "reference"), &find(list, "parallel"), &one};

    std::vector<TinyRow> all;
    for (const BenchCase& c : tiny_shapes()) {
        settings.progress(c.name);
        const RotatingKv kv({c.B, c.Hkv, c.S, c.D}, DType::f32, 1);
        Random random(2);
        const StoredTensor q = store(random_uniform({c.B, c.H, c.L, c.D}, random, -2, 2), DType::f32);
        const std::vector<Index> lengths(static_cast<std::size_t>(c.B), c.S);
        AttentionProblem problem{.q = q.view(), .kv = kv.view(0), .options = {}};
        problem.kv.sequences = c.B;
        problem.kv.length = lengths.data();

        std::vector<Launch> calls{[&](int) { return read_ms(kv.pieces(0), 1); }};
        for (const Implementation* each : compared)
            calls.push_back(timed([each, &problem](int) { run(*each, problem); }));
        const std::vector<Turns> turns = take_turns(calls, settings.alternation);
        TinyRow& row = all.emplace_back(TinyRow{
            c, {}, median_ratio(turns[1].blocks, turns[2].blocks), median_ratio(turns[3].blocks, turns[2].blocks)});
        for (std::size_t n = 0; n < compared.size(); ++n)
            row.rows.push_back({.case_name = c.name,
                                .impl = compared[n]->name,
                                .type = DType::f32,
                                .time = timing(turns[n + 1], turns[0]),
                                .tokens = c.B * c.L,
                                .bytes = kv.bytes(),
                                .flops = needed_flops(c),
                                .peak_rss_bytes = peak_memory_bytes()});
    }
    return all;
}

} // namespace headroom
