#include "tests/viewer/random_recording.h"

#include "experiments/record_caches.h"
#include "experiments/record_lockstep.h"
#include "experiments/record_models.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

void shuffle_counters(std::vector<Lane>& lanes, Random& random)
{
    for (Lane& lane : lanes)
        for (RecordedStep& step : lane.steps) {
            step.counters.live = random.integer(1000, 900'000);
            step.counters.reserved = random.integer(900'000, 5'000'000);
            step.counters.peak = random.integer(5'000'000, 9'000'000);
            step.counters.copied = random.integer(0, 1) * random.integer(1, 70'000);
            step.counters.allocations = random.integer(1, 5000);
            step.storage_error = 0.001 * static_cast<double>(random.integer(0, 90));
        }
}

RecordedModel random_model(Random& random)
{
    const Index kv = random.integer(1, 4), group = random.integer(1, 6), layers = random.integer(3, 90),
                width = 16 * random.integer(1, 16);
    return {
        .name = "a model of chance",
        .source = "nowhere",
        .config =
            R"({"model_type": "llama", "hidden_size": )" + std::to_string(kv * group * width) +
            R"(, "intermediate_size": 3000, "num_attention_heads": )" + std::to_string(kv * group) +
            R"(, "num_key_value_heads": )" + std::to_string(kv) + R"(, "num_hidden_layers": )" +
            std::to_string(layers) +
            R"(, "vocab_size": 5000, "max_position_embeddings": 4096, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})"};
}

} // namespace

RecordedCheck random_check(std::uint64_t seed, const std::string& spoilt)
{
    Random random(seed);
    const Index H = random.integer(2, 6), L = random.integer(1, 3), S = random.integer(9, 40),
                D = 8 * random.integer(1, 6);
    RecordedCheck check{.implementation = "decode/chance",
                        .executor = "simt",
                        .case_name = "random",
                        .dtype = "f32",
                        .status = spoilt.empty() ? "passed" : "failed",
                        .reason = "",
                        .stages = {}};
    bool wrong = false;
    for (const Stage& stage : stages()) {
        if (stage.name == "masked_scores") continue; // not kept
        const bool per_row = stage.name == "row_max" || stage.name == "row_sum" || stage.name == "lse";
        const Shape shape = per_row ? Shape{1, H, L} : Shape{1, H, L, stage.name == "output" ? D : S};
        RecordedStage kept{.stage = std::string(stage.name),
                           .got = random_normal(shape, random),
                           .expected = Tensor(shape),
                           .bound = 1e-5,
                           .mean_bound = 1e-6,
                           .reason = "a bound of chance"};
        wrong = wrong || stage.name == spoilt;
        for (std::size_t i = 0; i < kept.got.values().size(); ++i) {
            double& got = kept.got.values()[i];
            got = static_cast<double>(static_cast<float>(got));
            const double error = std::pow(10, -8 + 0.0028 * static_cast<double>(random.integer(0, 1000)));
            kept.expected.values()[i] = random.integer(0, 3) == 0 ? got : got + (random.integer(0, 1) ? error : -error);
        }
        if (wrong) {
            kept.expected.values()[static_cast<std::size_t>(
                random.integer(0, static_cast<Index>(kept.got.values().size()) - 1))] +=
                0.01 * static_cast<double>(random.integer(10, 99));
            kept.complaint = "error exceeds its bound";
        }
        check.stages.push_back(std::move(kept));
    }
    return check;
}

TracedStep random_kernel(std::uint64_t seed, Index blocks)
{
    Random random(seed);
    const Index Hkv = random.integer(1, 2), G = random.integer(1, 4), S = blocks * random.integer(4, 9), D = 32,
                Dv = 32, row = D * 4;
    TracedStep step{.step = "decode/chance" + std::to_string(seed),
                    .idea = "blocks of chance",
                    .shape = {1, Hkv * G, Hkv, 1, S, D, Dv}};
    step.lengths = {S};
    step.k_row = Tensor({1, Hkv, S});
    step.v_row = Tensor({1, Hkv, S});
    for (Index h = 0; h < Hkv; ++h)
        for (Index j = 0; j < S; ++j)
            step.k_row(0, h, j) = step.v_row(0, h, j) = static_cast<double>((h * S + j) * row);
    KernelTrace launch{
        .step = "chance",
        .grid = {static_cast<unsigned>(blocks), static_cast<unsigned>(Hkv), 1},
        .block = {64, 1, 1},
        .buffers = {{"k", Hkv * S * row}, {"v", Hkv * S * row}},
        .sites = {{"chance.cu", 7, Op::load, Space::global, 0, random.integer(50, 500), random.integer(1000, 9000),
                   random.integer(10'000, 90'000), random.integer(500, 5000), 0, 0},
                  {"chance.cu", 9, Op::load, Space::global, 1, random.integer(50, 500), random.integer(1000, 9000),
                   random.integer(10'000, 90'000), random.integer(500, 5000), 0, 0},
                  {"chance.cu", 12, Op::load, Space::shared, -1, random.integer(50, 500), 32, 128, 0,
                   random.integer(900, 999), random.integer(100, 800)}},
        .blocks = {},
        .events = {},
        .faults = {}};
    const Index per_block = S / blocks;
    for (Index h = 0; h < Hkv; ++h)
        for (Index b = 0; b < blocks; ++b) {
            const auto number = static_cast<std::uint32_t>(h * blocks + b);
            launch.blocks.push_back({number, 0, random.integer(1000, 99'000), 0, random.integer(10, 999), 0, 64});
            launch.blocks.push_back({number, 1, random.integer(1000, 99'000), 0, random.integer(10, 999), 0, 64});
            for (Index j = b * per_block; j < (b + 1) * per_block;
                 j += 4) { // a warp reads four rows, eight lanes a row
                TracedEvent event{.block = number,
                                  .warp = static_cast<std::uint16_t>(j / 4 % 2),
                                  .site = 0,
                                  .lanes = 0xffffffff,
                                  .bytes = 16,
                                  .cost = static_cast<std::uint16_t>(random.integer(16, 20)),
                                  .ideal = 16};
                for (Index lane = 0; lane < 32; ++lane) {
                    const Index key = j + lane / 8;
                    event.offset[static_cast<std::size_t>(lane)] =
                        key < (b + 1) * per_block ? (h * S + key) * row + lane % 8 * 16 : -1;
                }
                launch.events.push_back(event);
            }
            if (blocks > 1) step.parts.push_back({number, 0, h, b * per_block, (b + 1) * per_block});
        }
    step.launches.push_back(std::move(launch));
    const auto n = static_cast<Index>(step.parts.size());
    if (n > 0) {
        step.part_max = random_normal({n, G, 1}, random);
        step.part_sum = random_uniform({n, G, 1}, random);
        for (double& x : step.part_sum.values()) x = 1 + std::fabs(x);
        step.part_output = random_normal({n, G, 1, Dv}, random);
        step.part_share = Tensor({n, G, 1});
        for (Index g = 0; g < G; ++g)
            for (Index h = 0; h < Hkv; ++h) {
                double sum = 0;
                for (Index i = h * blocks; i < (h + 1) * blocks; ++i)
                    sum += step.part_sum(i, g, 0) * std::exp(step.part_max(i, g, 0));
                for (Index i = h * blocks; i < (h + 1) * blocks; ++i)
                    step.part_share(i, g, 0) = step.part_sum(i, g, 0) * std::exp(step.part_max(i, g, 0)) / sum;
            }
    }
    step.output = random_normal({1, Hkv * G, 1, Dv}, random);
    step.lse = random_normal({1, Hkv * G, 1}, random);
    return step;
}

Recording random_recording(std::uint64_t seed)
{
    Random random(seed);
    Recording recording = record_lockstep({.q_heads = 8, .head_dim = 4, .prompt = 5, .steps = 7, .seed = seed});
    recording.command = "headroom record --seed of-chance";
    recording.caches = record_caches({.seed = seed}).caches;
    shuffle_counters(recording.lanes, random);
    shuffle_counters(recording.caches, random);
    recording.models = known_models();
    recording.models.push_back(random_model(random));
    recording.checks = {random_check(seed + 1, ""), random_check(seed + 2, "row_sum"),
                        random_check(seed + 3, "output")};
    recording.kernels = {random_kernel(seed + 4, 3), random_kernel(seed + 5, 1)};
    return recording;
}

} // namespace headroom
