// A verification's results and models' configurations in a file: tensors are named like check0003/scores/got.
#include "reference/recording/file_parts.h"

#include <nlohmann/json.hpp>

namespace headroom::recording_file {
namespace {

constexpr std::size_t longest_config = 1 << 20;

std::string prefix_of(std::size_t check, const std::string& stage)
{
    return four_digits("check", check) + "/" + stage + "/";
}

} // namespace

Json write_check(const RecordedCheck& check, std::size_t number, NamedTensors& into)
{
    Json json{{"implementation", check.implementation},
              {"executor", check.executor},
              {"case", check.case_name},
              {"dtype", check.dtype},
              {"status", check.status},
              {"reason", check.reason},
              {"stages", Json::array()}};
    if (check.own_problem) json["own_problem"] = true;
    for (const RecordedStage& s : check.stages) {
        json["stages"].push_back({{"stage", s.stage},
                                  {"bound", s.bound},
                                  {"mean_bound", s.mean_bound},
                                  {"reason", s.reason},
                                  {"complaint", s.complaint}});
        keep(s.got, prefix_of(number, s.stage) + "got", into);
        keep(s.expected, prefix_of(number, s.stage) + "expected", into);
    }
    return json;
}

RecordedCheck read_check(const Json& json, std::size_t number, const NamedTensors& from)
{
    RecordedCheck check{.implementation = json.at("implementation"),
                        .executor = json.at("executor"),
                        .case_name = json.at("case"),
                        .dtype = json.at("dtype"),
                        .status = json.at("status"),
                        .reason = json.at("reason"),
                        .stages = {}};
    check.own_problem = json.value("own_problem", false);
    if (json.at("stages").size() > stages().size()) refuse("a check has more stages than attention has");
    for (const Json& s : json.at("stages")) {
        RecordedStage stage{.stage = s.at("stage"),
                            .bound = s.at("bound"),
                            .mean_bound = s.at("mean_bound"),
                            .reason = s.at("reason"),
                            .complaint = s.at("complaint")};
        if (std::ranges::find(stages(), stage.stage, &Stage::name) == stages().end())
            refuse("a check has a stage that attention does not have");
        const std::string prefix = prefix_of(number, stage.stage);
        stage.got = take(prefix + "got", from);
        stage.expected = take(prefix + "expected", from);
        if (stage.got.shape() != stage.expected.shape()) // an answer of the wrong shape has no errors to show
            stage.got = stage.expected = Tensor();
        if (stage.expected.shape().size() > 4) refuse("tensor '" + prefix + "expected' has more than four axes");
        check.stages.push_back(std::move(stage));
    }
    return check;
}

Json write_model(const RecordedModel& model)
{
    return {{"name", model.name}, {"source", model.source}, {"config", model.config}};
}

RecordedModel read_model(const Json& json)
{
    RecordedModel model{.name = json.at("name"), .source = json.at("source"), .config = json.at("config")};
    if (model.config.size() > longest_config) refuse("the config of '" + model.name + "' is longer than 1 MiB");
    return model;
}

} // namespace headroom::recording_file
