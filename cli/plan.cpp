// headroom plan: what a model's cache costs, what fits on a GPU, what sharing heads saves.
#include "cli/command.h"
#include "cli/needs.h"
#include "cli/plan_output.h"

#include "reference/planning/advice.h"
#include "reference/planning/chart.h"
#include "reference/tensor/files.h"
#include <algorithm>
#include <iostream>
#include <memory>

namespace headroom {
namespace {

struct Settings {
    std::vector<std::string> configs;
    Index context = 0, batch = 1, page = 1, ranks = 1, source_tokens = 0;
    std::string kv_dtype = "bf16", kv_scaling, weight_dtype, weight_bytes, gpu_name, memory, reserve, bandwidth, svg;
    bool json = false, advice = false;
};

Index at_least(Index least, Index value, const char* option)
{
    if (value < least)
        throw std::invalid_argument(std::string(option) + " is " + std::to_string(value) + ": it must be at least " +
                                    std::to_string(least));
    return value;
}

PlanSettings plan_settings(const Settings& s, bool context_given)
{
    PlanSettings p;
    if (context_given) p.context = at_least(0, s.context, "--context");
    p.batch = at_least(1, s.batch, "--batch");
    p.cache.format = kv_format(s.kv_dtype);
    if (!s.kv_scaling.empty()) p.cache.format = scaled(p.cache.format, scaling_from_name(s.kv_scaling));
    p.cache.page = at_least(1, s.page, "--page");
    p.cache.ranks = at_least(1, s.ranks, "--tensor-parallel");
    p.cache.source_tokens = at_least(0, s.source_tokens, "--source-tokens");
    p.weight_dtype = s.weight_dtype;
    if (!s.weight_bytes.empty()) p.weight_bytes = parse_memory(s.weight_bytes).bytes;
    if (!s.gpu_name.empty()) {
        const Gpu& one = gpu(s.gpu_name);
        p.memory = Memory{one.memory_bytes, std::string(one.name)};
        p.bandwidth = one.bandwidth;
    }
    if (!s.memory.empty()) p.memory = parse_memory(s.memory);
    if (!s.reserve.empty()) p.reserve_bytes = parse_memory(s.reserve).bytes;
    if (!s.bandwidth.empty()) p.bandwidth = parse_bandwidth(s.bandwidth);
    return p;
}

void print(const Settings& s, const std::vector<Plan>& plans)
{
    if (s.json && plans.size() == 1) {
        std::cout << plan_json(plans.front()).dump(2) << '\n';
    } else if (s.json) {
        nlohmann::ordered_json all{{"schema", "headroom.plan-comparison/1"}};
        for (const Plan& plan : plans) all["plans"].push_back(plan_json(plan));
        std::cout << all.dump(2) << '\n';
    } else {
        std::cout << (plans.size() == 1 ? plan_text(plans.front()) : comparison_text(plans));
    }
}

bool leave_source_tokens_open(const std::vector<Plan>& plans)
{
    return std::ranges::any_of(
        plans, [](const Plan& plan) { return plan.geometry.cross.layers > 0 && plan.geometry.cross.tokens == 0; });
}

void refuse_ignored(const Settings& s, const CLI::App& app)
{
    need(app,
         {"--context", "--batch", "--kv-dtype", "--kv-scale", "--page", "--tensor-parallel", "--source-tokens", "--gpu",
          "--memory", "--reserve", "--bandwidth", "--weight-dtype", "--weight-bytes", "--svg", "--json"},
         !s.configs.empty(), "--config FILE, a model's config.json");
    need(app, {"--reserve"}, !s.gpu_name.empty() || !s.memory.empty(), "--gpu or --memory");
    if (!s.gpu_name.empty() && !s.memory.empty() && !s.bandwidth.empty())
        throw std::invalid_argument("--memory and --bandwidth together leave nothing to --gpu: give two of the three");
}

int plan(const Settings& s, const CLI::App& app)
{
    if (s.configs.empty() && !s.advice) throw std::invalid_argument("plan needs --config FILE, a model's config.json");
    refuse_ignored(s, app);
    const PlanSettings settings = plan_settings(s, app.count("--context") > 0);
    std::vector<Plan> plans;
    for (const std::string& config : s.configs) {
        if (!s.svg.empty()) refuse_overwriting(config, s.svg);
        plans.push_back(make_plan(config, settings));
    }
    need(app, {"--source-tokens"}, leave_source_tokens_open(plans), "a model whose file leaves their number open");
    if (!s.svg.empty()) write_file(s.svg, chart_svg(plans));
    if (!plans.empty()) print(s, plans);
    if (s.advice) std::cout << (plans.empty() ? "" : "\n") << advice_table();
    return 0;
}

} // namespace

Action declare_plan(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option("--config", s->configs, "a model's config.json; several make a comparison table");
    app.add_option("--context", s->context, "tokens per sequence; default: the model's own context");
    app.add_option("--batch", s->batch, "sequences at a time")->capture_default_str();
    app.add_option("--kv-dtype", s->kv_dtype, "f32, f16, bf16, f8e4m3, i8 or i4")->capture_default_str();
    app.add_option("--kv-scale,--kv-scaling", s->kv_scaling,
                   "none, per-tensor, per-head or per-head-and-token; default: as the caches do");
    app.add_option("--page", s->page, "tokens per block of a paged cache")->capture_default_str();
    app.add_option("--tensor-parallel,--tp", s->ranks, "GPUs that share the heads")->capture_default_str();
    app.add_option("--source-tokens", s->source_tokens,
                   "encoder or image tokens per sequence, where the file fixes none");
    app.add_option("--gpu", s->gpu_name, "h100, h200, a100-80gb, l40s, rtx4090 and more: sets memory and bandwidth");
    app.add_option("--memory", s->memory, "memory of one GPU, with its unit: 24GiB, 80GB");
    app.add_option("--reserve", s->reserve, "memory kept free for activations and the engine; default: a tenth");
    app.add_option("--bandwidth", s->bandwidth, "memory bandwidth: 3.35TB/s");
    CLI::Option* type =
        app.add_option("--weight-dtype", s->weight_dtype, "how the weights are stored; default: as the file says")
            ->check(CLI::IsMember({"f32", "f16", "bf16", "f8e4m3", "i8", "i4"}));
    app.add_option("--weight-bytes", s->weight_bytes, "bytes of the weights, where the file does not tell: 15GiB")
        ->excludes(type);
    app.add_option("--svg", s->svg, "draw bytes over context into this file");
    CLI::Option* advice = app.add_flag("--advice", s->advice, "how many KV heads published models of each size chose");
    app.add_flag("--json", s->json, "all numbers as JSON")->excludes(advice);
    return [s, &app] { return plan(*s, app); };
}

} // namespace headroom
