// headroom record: a run of MHA, GQA and MQA in lockstep, every number of it, in one file.
#include "cli/command.h"

#include "experiments/record_lockstep.h"
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

struct Settings {
    RecordLockstepSettings lockstep;
    Index gqa_heads = 2;
    std::string dtype = "f32", out;
    bool json = false;
};

// What the file holds, for scripts.
nlohmann::ordered_json contents(const Recording& recording)
{
    nlohmann::ordered_json json{
        {"schema", "headroom.record/1"}, {"title", recording.title}, {"lanes", nlohmann::ordered_json::array()}};
    for (const Lane& lane : recording.lanes) {
        const KvCounters last = lane.steps.empty() ? KvCounters{} : lane.steps.back().counters;
        json["lanes"].push_back({{"name", lane.name},
                                 {"cache", lane.cache},
                                 {"q_heads", lane.q_heads},
                                 {"kv_heads", lane.geometry.kv_heads},
                                 {"head_dim", lane.geometry.head_dim},
                                 {"dtype", name(lane.geometry.type)},
                                 {"steps", lane.steps.size()},
                                 {"live_bytes", last.live},
                                 {"reserved_bytes", last.reserved}});
    }
    return json;
}

int record(Settings& s)
{
    RecordLockstepSettings& settings = s.lockstep;
    settings.kv_type = dtype_from_name(s.dtype);
    settings.lanes = {{"mha", settings.q_heads}, {"gqa", s.gqa_heads}, {"mqa", 1}};
    Recording recording = record_lockstep(settings);
    recording.command = "headroom record --q-heads " + std::to_string(settings.q_heads) + " --kv-heads " +
                        std::to_string(s.gqa_heads) + " --head-dim " + std::to_string(settings.head_dim) +
                        " --prompt " + std::to_string(settings.prompt) + " --steps " + std::to_string(settings.steps) +
                        " --cache " + settings.cache + " --kv-dtype " + s.dtype + " --seed " +
                        std::to_string(settings.seed);
    write_recording(recording, s.out);
    if (s.json)
        std::cout << contents(recording).dump(2) << '\n';
    else
        std::cout << "wrote " << s.out << "; look at it with: headroom view " << s.out << " --export picture.png\n";
    return 0;
}

} // namespace

Action declare_record(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    RecordLockstepSettings& l = s->lockstep;
    app.add_option("-o,--output", s->out, "safetensors to write")->required();
    app.add_option("--q-heads", l.q_heads, "query heads")->capture_default_str();
    app.add_option("--kv-heads", s->gqa_heads, "KV heads of the GQA lane")->capture_default_str();
    app.add_option("--head-dim", l.head_dim, "head dimension")->capture_default_str();
    app.add_option("--prompt", l.prompt, "tokens of the prefill")->capture_default_str();
    app.add_option("--steps", l.steps, "decoded tokens behind it")->capture_default_str();
    app.add_option("--cache", l.cache, "kind of cache")->capture_default_str();
    app.add_option("--kv-dtype", s->dtype, "how keys and values are stored")->capture_default_str();
    app.add_option("--seed", l.seed, "of the random queries, keys and values")->capture_default_str();
    app.add_flag("--json", s->json, "print what the file holds");
    return [s] { return record(*s); };
}

} // namespace headroom
