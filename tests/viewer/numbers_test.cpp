// Every number of every scene, computed again from the recording.
#include "reference/planning/fit.h"
#include "reference/planning/model.h"
#include "tests/support/catch.h"
#include "tests/viewer/random_recording.h"
#include "viewer/export/describe.h"
#include "viewer/scenes/magnitudes.h"
#include "viewer/scenes/scene.h"
#include <algorithm>
#include <cmath>

using namespace headroom;

namespace {

Picture picture_of(std::string_view name, const Recording& recording, View view)
{
    return draw(scene(name), recording, view, {0, 0, 1600, 900});
}
View at(double time) { return {.time = time, .hover = {}, .pinned = {}}; }

// The number of a fact in the picture that says `what`; NaN if there is none.
double number(const Picture& picture, const std::string& what)
{
    const auto found = std::ranges::find(picture.facts, what, &Fact::what);
    INFO(what);
    CHECK(found != picture.facts.end());
    return found == picture.facts.end() ? std::nan("") : found->number;
}

} // namespace

TEST_CASE("Decode: shapes, bytes and multiply-adds are those of the recording")
{
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Recording r = random_recording(seed);
        const Picture picture = picture_of("decode", r, at(4));
        for (const Lane& lane : r.lanes) {
            const RecordedStep& step = lane.steps[4];
            CHECK(number(picture, "live bytes, " + lane.name) == static_cast<double>(step.counters.live));
            CHECK(number(picture, "bytes read in this step, " + lane.name) == static_cast<double>(step.counters.live));
            CHECK(number(picture, "K cache S, " + lane.name) == static_cast<double>(step.past + step.added));
            CHECK(number(picture, "K cache Hkv, " + lane.name) == static_cast<double>(lane.geometry.kv_heads));
            CHECK(number(picture, "group size, " + lane.name) ==
                  static_cast<double>(lane.q_heads / lane.geometry.kv_heads));
            CHECK(number(picture, "live bytes of " + lane.name + " in percent of mha") ==
                  Approx(100.0 * static_cast<double>(step.counters.live) /
                         static_cast<double>(r.lanes[0].steps[4].counters.live)));
        }
        CHECK(number(picture, "multiply-adds of this step with the cache") == 8 * 1 * 9 * (4 + 4));
        CHECK(number(picture, "multiply-adds of this step without a cache") == 8 * 9 * 9 * (4 + 4));
    }
}

TEST_CASE("Cache: the table and the sums are those of the recording")
{
    for (const std::uint64_t seed : {4U, 5U}) {
        const Recording r = random_recording(seed);
        const Picture picture = picture_of("cache", r, at(9));
        for (const Lane& lane : r.caches) {
            const RecordedStep& step = lane.steps[9];
            Index moved = 0;
            for (std::size_t s = 0; s <= 9; ++s) moved += lane.steps[s].counters.copied;
            CHECK(number(picture, "reserved bytes, " + lane.name) == static_cast<double>(step.counters.reserved));
            CHECK(number(picture, "peak bytes, " + lane.name) == static_cast<double>(step.counters.peak));
            CHECK(number(picture, "copied bytes, " + lane.name) == static_cast<double>(step.counters.copied));
            CHECK(number(picture, "allocations, " + lane.name) == static_cast<double>(step.counters.allocations));
            CHECK(number(picture, "error of the stored numbers, " + lane.name) == 100 * step.storage_error);
            CHECK(number(picture, "bytes copied until now, " + lane.name) == static_cast<double>(moved));
            CHECK(number(picture, "unused part, " + lane.name) ==
                  Approx(100 - 100.0 * static_cast<double>(step.counters.live) /
                                   static_cast<double>(step.counters.reserved)));
        }
    }
}

TEST_CASE("Memory: each model's numbers are planning's, for the format, batch, GPU and weights that are chosen")
{
    const Recording r = random_recording(6);
    const std::vector<Control> controls = scene("memory").controls(r);
    const auto control = [&](std::string_view key) { return *std::ranges::find(controls, key, &Control::key); };
    for (const auto& [dtype, gpu, batch, weights] :
         {std::tuple{"bf16", "h100", "1", "on"}, std::tuple{"i8", "l4", "16", "off"},
          std::tuple{"f32", "h200", "4", "on"}}) {
        View view = at(6.5);
        set(view.settings, control("kv_dtype"), dtype);
        set(view.settings, control("gpu"), gpu);
        set(view.settings, control("batch"), batch);
        set(view.settings, control("weights"), weights);
        const Picture picture = picture_of("memory", r, view);
        PlanSettings plan;
        plan.cache.format = kv_format(dtype);
        plan.batch = std::stoll(batch);
        plan.memory = Memory{headroom::gpu(gpu).memory_bytes, gpu};
        const Index context = std::llround(256 * std::exp2(6.5));
        CHECK(number(picture, "tokens of each sequence") == static_cast<double>(context));
        CHECK(number(picture, std::string("memory of ") + gpu) == static_cast<double>(headroom::gpu(gpu).memory_bytes));
        for (const RecordedModel& model : r.models) {
            const ModelFacts facts = model_from_text(model.config);
            CHECK(number(picture, "bytes per token, " + model.name) ==
                  static_cast<double>(bytes_per_token(facts.geometry, plan.cache)));
            CHECK(number(picture, "cache at this context, " + model.name) ==
                  static_cast<double>(kv_bytes(facts.geometry, plan.cache, context, plan.batch)));
            if (!facts.parameters.total || facts.parameters.quantised) continue;
            const Index weight_bytes = 2 * *facts.parameters.total;
            CHECK(number(picture, "weights, " + model.name) == static_cast<double>(weight_bytes));
            const Fit fits = fit(facts.geometry, plan, context, std::string(weights) == "on" ? weight_bytes : 0);
            CHECK(number(picture, "most tokens of each sequence, " + model.name) ==
                  static_cast<double>(*fits.longest_context));
            CHECK(number(picture, "largest batch at this context, " + model.name) ==
                  static_cast<double>(*fits.largest_batch));
        }
    }
}

TEST_CASE("Memory: the terms of a model's bytes per token add up to it")
{
    const Recording r = random_recording(7);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(r.models.size()); ++i) {
        View view = at(2);
        view.hover = {Part::model, i, 0, 0, 0};
        const Picture picture = picture_of("memory", r, view);
        double sum = 0;
        for (const Fact& fact : picture.facts)
            if (fact.what == "bytes per token of these layers") sum += fact.number;
        CHECK(sum == number(picture, "bytes per token, " + r.models[static_cast<std::size_t>(i)].name));
    }
}

TEST_CASE("Verify: worst cell, counts and the first stage to diverge, computed again")
{
    for (const std::uint64_t seed : {8U, 9U}) {
        const Recording r = random_recording(seed);
        for (std::size_t n = 0; n < r.checks.size(); ++n) {
            const RecordedCheck& check = r.checks[n];
            const auto first =
                std::ranges::find_if(check.stages, [](const RecordedStage& s) { return !s.complaint.empty(); });
            const RecordedStage& stage = first == check.stages.end()
                                             ? *std::ranges::find(check.stages, "output", &RecordedStage::stage)
                                             : *first;
            double worst = -1, sum = 0;
            std::size_t where = 0, equal = 0, over = 0;
            for (std::size_t i = 0; i < stage.got.values().size(); ++i) {
                const double error = std::fabs(stage.got.values()[i] - stage.expected.values()[i]);
                if (error > worst) worst = error, where = i;
                sum += error;
                equal += stage.got.values()[i] == static_cast<double>(static_cast<float>(stage.expected.values()[i]));
                over += error > stage.bound;
            }
            const Picture picture = picture_of("verify", r, at(static_cast<double>(n)));
            CHECK(number(picture, "worst error, " + stage.stage) == worst);
            CHECK(number(picture, "mean error, " + stage.stage) ==
                  Approx(sum / static_cast<double>(stage.got.values().size())));
            CHECK(number(picture, "cells equal to the reference, " + stage.stage) == static_cast<double>(equal));
            CHECK(number(picture, "cells over the bound, " + stage.stage) == static_cast<double>(over));
            CHECK(number(picture, "kernel's number") == stage.got.values()[where]);
            CHECK(number(picture, "reference's number") == stage.expected.values()[where]);
            CHECK(number(picture, "their difference") == stage.got.values()[where] - stage.expected.values()[where]);
            const bool says_diverged =
                std::ranges::any_of(picture.texts, [](const Text& t) { return t.words == "first to diverge"; });
            CHECK(says_diverged == (first != check.stages.end()));
        }
    }
}

TEST_CASE("Kernel: bytes, coalescing, conflicts and the merge, computed again, and the merged parts are the sum of "
          "their shares")
{
    for (const std::uint64_t seed : {10U, 11U, 12U}) {
        const Recording r = random_recording(seed);
        const TracedStep& k = r.kernels[0];
        const Picture picture = picture_of("kernel", r, at(1e9));
        const KernelTrace& launch = k.launches[0];
        CHECK(number(picture, "bytes of K read") == static_cast<double>(launch.sites[0].bytes));
        CHECK(number(picture, "bytes of V read") == static_cast<double>(launch.sites[1].bytes));
        CHECK(number(picture, "sectors moved") ==
              32.0 * static_cast<double>(launch.sites[0].sectors + launch.sites[1].sectors));
        CHECK(number(picture, "wavefronts beyond the least") ==
              static_cast<double>(launch.sites[2].wavefronts - launch.sites[2].ideal_wavefronts));
        double ideal = 0, cost = 0;
        for (const TracedEvent& e : launch.events) ideal += e.ideal, cost += e.cost;
        CHECK(number(picture, "least sectors over moved ones, recorded events") == Approx(100 * ideal / cost));
        CHECK(number(picture, "bytes of K and V read, block 0") ==
              static_cast<double>(launch.blocks[0].bytes_read + launch.blocks[1].bytes_read));
        double max = -1e300, sum = 0, o = 0;
        for (Index i = 0; i < 3; ++i) max = std::max(max, k.part_max(i, 0, 0));
        for (Index i = 0; i < 3; ++i) {
            sum += k.part_sum(i, 0, 0) * std::exp(k.part_max(i, 0, 0) - max);
            o += k.part_share(i, 0, 0) * k.part_output(i, 0, 0, 0) / k.part_sum(i, 0, 0);
        }
        CHECK(number(picture, "merged m") == max);
        CHECK(number(picture, "merged l") == Approx(sum));
        CHECK(number(picture, "merged o, first element") == Approx(o));
        CHECK(number(picture, "kernel's output, first element") == k.output(0, 0, 0, 0));
    }
}

TEST_CASE("Kernel: at the end every byte of K has been read, at a moment only what the events until then touch")
{
    const Recording r = random_recording(13);
    const Index S = r.kernels[0].shape.S;
    // Cells under a block's colour: neighbours share a rectangle, but no cell lies under two.
    const auto cells = [&](double time) {
        const Picture picture = picture_of("kernel", r, at(time));
        const auto field = std::ranges::find_if(picture.marks, [&](const Mark& m) {
            return m.heatmap >= 0 && picture.heatmaps[static_cast<std::size_t>(m.heatmap)].first.part == Part::access;
        });
        REQUIRE(field != picture.marks.end());
        const Heatmap& map = picture.heatmaps[static_cast<std::size_t>(field->heatmap)];
        Index read = 0;
        for (std::int32_t row = 0; row < map.rows; ++row)
            for (std::int32_t column = 0; column < map.columns; ++column) {
                const Point centre = cell_rect(field->at, map, row, column).centre();
                REQUIRE(picture.hit(centre) == cell_of(map, row, column));
                const auto over = std::ranges::count_if(picture.marks, [&](const Mark& m) {
                    return m.kind == Mark::Kind::fill && field->at.inset(-0.01f).contains(m.at) &&
                           m.at.contains(centre);
                });
                REQUIRE(over <= 1);
                read += over;
            }
        return read;
    };
    CHECK(cells(1e9) == S * 8); // 32 floats of 4 bytes, 16 at once
    CHECK(cells(0) == 32);
}

TEST_CASE("Kernel: who read each unit last and how often, at every moment, is what the events say one by one")
{
    Index heads = 1;
    for (const std::uint64_t seed : {14U, 15U, 16U, 17U}) {
        const Recording r = random_recording(seed);
        const TracedStep& k = r.kernels[0];
        heads = std::max(heads, k.shape.Hkv);
        const std::vector<TracedEvent>& events = k.launches[0].events;
        const auto shared = overview(r);
        for (const Index hkv : {Index{0}, k.shape.Hkv - 1})
            for (std::size_t now = 0; now < events.size(); ++now) { // an event a step
                View view = at(static_cast<double>(now));
                view.settings["kv_head"] = static_cast<double>(hkv);
                const auto key = static_cast<std::int32_t>(now * 5 % static_cast<std::size_t>(k.shape.S)),
                           unit = static_cast<std::int32_t>(now * 3 % 8);
                view.hover = {Part::access, 0, static_cast<std::int32_t>(hkv), key, unit};
                int times = 0;
                double block = -1, warp = -1, lane = -1;
                for (std::size_t e = 0; e <= now; ++e)
                    for (std::size_t l = 0; l < 32; ++l)
                        if (events[e].offset[l] == static_cast<Index>(k.k_row(0, hkv, key)) + 16 * unit) {
                            ++times;
                            block = events[e].block, warp = events[e].warp, lane = static_cast<double>(l);
                        }
                const Picture picture = picture_of("kernel", r, view);
                CHECK(number(picture, "times read until now") == times);
                CHECK(number(picture, "recorded requests until now") == static_cast<double>(now + 1));
                if (times > 0) {
                    CHECK(number(picture, "block of the last reader") == block);
                    CHECK(number(picture, "warp of the last reader") == warp);
                    CHECK(number(picture, "lane of the last reader") == lane);
                }
                view.overview = shared;
                CHECK(describe(picture_of("kernel", r, view)) == describe(picture));
            }
    }
    CHECK(heads > 1);
}
