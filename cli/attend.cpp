// headroom attend: attention on a problem file.
#include "cli/attention_options.h"
#include "cli/command.h"
#include "cli/needs.h"

#include "experiments/implementations.h"
#include "reference/contract/problem_file.h"
#include "reference/tensor/files.h"
#include "reference/tensor/safetensors.h"
#include <memory>
#include <new>

namespace headroom {
namespace {

struct Settings {
    std::string in, out, implementation = "reference", executor;
    AttentionChoice attention;
    bool all_stages = false;
    int threads = 0;
};

AttentionStages compute(const Implementation& implementation, const OwnedProblem& owned)
{
    try {
        return run(implementation, owned.problem());
    } catch (const std::bad_alloc&) {
        throw std::runtime_error("there is not enough memory for the scores of q " + to_text(owned.q.shape()) +
                                 " and k " + to_text(owned.k.shape()) + "; --impl online needs none for them");
    }
}

int attend(const Settings& s, const CLI::App& app)
{
    need(app, {"--threads"}, s.implementation == "parallel", "--impl parallel");
    const std::vector<Implementation> list = implementations({.threads = s.threads});
    const Implementation& implementation = find(list, s.implementation, s.executor);

    OwnedProblem owned = read_problem(s.in);
    refuse_overwriting(s.in, s.out);
    owned.options = s.attention.options();
    const AttentionStages result = compute(implementation, owned);

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
    app.add_option("problem", s->in,
                   "safetensors with q [B,H,L,D], k [B,Hkv,S,D], v [B,Hkv,S,Dv] and optionally bias, mask, kv_lengths, "
                   "query_lengths, sink_logits")
        ->required();
    app.add_option("-o,--output", s->out, "safetensors to write: output [B,H,L,Dv], lse [B,H,L]")->required();
    app.add_option("--impl", s->implementation, "which implementation computes it")->capture_default_str();
    app.add_option("--executor", s->executor, "where a kernel runs")
        ->check(CLI::IsMember({"auto", "device", "simt", "ptx"}));
    app.add_option("--threads", s->threads, "parallel: how many; default: one for each core")
        ->check(CLI::Range(1, 1024));
    s->attention.declare(app);
    app.add_flag("--stages", s->all_stages,
                 "also write those of scores, masked_scores, row_max, row_sum, weights that the implementation keeps");
    return [s, &app] { return attend(*s, app); };
}

} // namespace headroom
