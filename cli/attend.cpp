// headroom attend: attention on a problem file.
#include "cli/command.h"

#include "experiments/implementations.h"
#include "reference/contract/problem_file.h"
#include "reference/tensor/safetensors.h"
#include <memory>

namespace headroom {
namespace {

struct Settings {
    std::string in, out, implementation = "reference", align = "bottom-right";
    bool causal = false, all_stages = false;
    AttentionOptions options;
    double scale = 0;
};

int attend(Settings& s, bool scale_given)
{
    OwnedProblem owned = read_problem(s.in);
    owned.options = s.options;
    owned.options.causal = !s.causal ? Causal::none : s.align == "top-left" ? Causal::top_left : Causal::bottom_right;
    if (scale_given) owned.options.scale = s.scale;

    const std::vector<Implementation> list = implementations();
    const AttentionStages result = run(find(list, s.implementation), owned.problem());

    const bool all_f64 = owned.q.type() == DType::f64 && owned.k.type() == DType::f64 && owned.v.type() == DType::f64;
    NamedTensors file;
    for (const Stage& stage : stages()) {
        const bool wanted = s.all_stages || stage.name == "output" || stage.name == "lse";
        const Tensor& tensor = result.*stage.tensor;
        if (wanted && !tensor.empty())
            file.tensors.emplace(stage.name, store(tensor, all_f64 ? DType::f64 : DType::f32));
    }
    write_safetensors(s.out, file);
    return 0;
}

} // namespace

Action declare_attend(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option("problem", s->in, "safetensors with q, k, v and optionally bias, mask, kv_lengths, sink_logits")
        ->required();
    app.add_option("-o,--output", s->out, "safetensors to write: output, lse")->required();
    app.add_option("--impl", s->implementation, "which implementation computes it")->capture_default_str();
    app.add_flag("--causal", s->causal, "a query sees no key behind its own position");
    app.add_option("--align", s->align, "where the queries stand among the keys")
        ->check(CLI::IsMember({"bottom-right", "top-left"}))
        ->capture_default_str();
    app.add_option("--window", s->options.window, "keys that a query sees, its own included");
    app.add_option("--sinks", s->options.sinks, "first tokens that stay visible behind the window");
    app.add_option("--softcap", s->options.soft_cap, "cap * tanh(score / cap)");
    CLI::Option* scale = app.add_option("--scale", s->scale, "factor of q k; default 1/sqrt(D)");
    app.add_flag("--stages", s->all_stages, "also write scores, masked_scores, row_max, row_sum, weights");
    return [s, scale] { return attend(*s, scale->count() > 0); };
}

} // namespace headroom
