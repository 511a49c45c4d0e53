// headroom record: runs, with every number of them, in one file: attention in lockstep, caches, models, checks.
#include "cli/command.h"

#include "cli/needs.h"
#include "cli/record_contents.h"
#include "experiments/record_caches.h"
#include "experiments/record_checks.h"
#include "experiments/record_kernels.h"
#include "experiments/record_lockstep.h"
#include "experiments/record_models.h"
#include "experiments/record_run.h"
#include "experiments/scene_recordings.h"
#include <iostream>
#include <memory>
#include <stdexcept>

namespace headroom {
namespace {

struct Settings {
    RecordLockstepSettings random;
    RecordRunSettings run;
    Index gqa_heads = 2;
    std::vector<std::string> configs;
    VerificationSettings checks;
    RecordKernelsSettings kernels;
    std::string dtype = "f32", out;
    bool scenes = false, json = false;
};

Recording recorded(Settings& s, const CLI::App& app)
{
    const DType type = dtype_from_name(s.dtype);
    const bool of_models = app.count("--model") > 0 || app.count("--text") > 0;
    need(app, {"--layer"}, of_models, "--model or --text");
    need(app, {"--tokenizer"}, app.count("--model") > 0, "--model");
    need(app, {"--q-heads", "--kv-heads", "--head-dim", "--prompt"}, !of_models,
         "random numbers: not --model or --text");
    if (of_models) {
        s.run.kv_type = type;
        s.run.cache = s.random.cache;
        s.run.steps = s.random.steps;
        return record_run(s.run, reference_backend());
    }
    s.random.kv_type = type;
    s.random.lanes = {{"mha", s.random.q_heads}, {"gqa", s.gqa_heads}, {"mqa", 1}};
    return record_lockstep(s.random);
}

Recording everything(Settings& s, const CLI::App& app)
{
    if (s.scenes) return every_scene({});
    Recording recording = recorded(s, app);
    RecordCachesSettings caches;
    caches.seed = s.random.seed;
    recording.caches = record_caches(caches).caches;
    recording.models = known_models();
    for (const std::string& config : s.configs) recording.models.push_back(recorded_model(config));
    if (app.count("--checks")) recording.checks = record_checks(s.checks);
    if (app.count("--kernels")) recording.kernels = record_kernels(s.kernels);
    return recording;
}

int record(Settings& s, const CLI::App& app)
{
    Recording recording = everything(s, app);
    recording.command = "headroom record " + as_given(app);
    write_recording(recording, s.out);
    if (s.json)
        std::cout << contents_json(recording) << '\n';
    else
        std::cout << "wrote " << s.out << "; look at it with: headroom view " << s.out << " --export picture.png\n";
    return 0;
}

} // namespace

Action declare_record(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    CLI::Option* scenes = app.add_flag("--scenes", s->scenes, "what each scene of the viewer shows without a file");
    app.add_option("--model", s->run.models, "run models instead of random numbers: names (mha, gqa, mqa) or files");
    app.add_option("--tokenizer", s->run.tokenizer, "with --model: its tokenizer");
    app.add_option("--text", s->run.text, "run a model: the prompt")->capture_default_str();
    app.add_option("--layer", s->run.layer, "with --model: the layer whose every stage is kept")->capture_default_str();
    app.add_option("--q-heads", s->random.q_heads, "query heads")->capture_default_str();
    app.add_option("--kv-heads", s->gqa_heads, "KV heads of the GQA lane")->capture_default_str();
    app.add_option("--head-dim", s->random.head_dim, "head dimension")->capture_default_str();
    app.add_option("--prompt", s->random.prompt, "random tokens of the prefill")->capture_default_str();
    app.add_option("--steps", s->random.steps, "decoded tokens behind the prompt")->capture_default_str();
    app.add_option("--cache", s->random.cache, "kind of cache")->capture_default_str();
    app.add_option("--kv-dtype", s->dtype, "how keys and values are stored")->capture_default_str();
    app.add_option("--seed", s->random.seed, "of the random queries, keys and values")->capture_default_str();
    app.add_option("--config", s->configs, "a model's config.json, for the Memory scene");
    CLI::Option* checks = app.add_option("--checks", s->checks.implementations,
                                         "verify these as well, as a pattern: 'decode/01*', online");
    app.add_option("--executor", s->checks.executor, "where kernels run")->capture_default_str()->needs(checks);
    CLI::Option* problem =
        app.add_option("--problem", s->checks.problem, "your tensors instead of the cases")->needs(checks);
    app.add_flag("--quick", s->checks.quick, "a short list of cases")->needs(checks)->excludes(problem);
    app.add_option("--kernels", s->kernels.implementations, "trace these as well, as a pattern: 'decode/0[1346]_*'");
    for (CLI::Option* other : app.get_options())
        if (other != scenes && other != app.get_help_ptr()) scenes->excludes(other);
    app.add_option("-o,--output", s->out, "safetensors to write")->required();
    app.add_flag("--json", s->json, "print what the file holds");
    return [s, &app] { return record(*s, app); };
}

} // namespace headroom
