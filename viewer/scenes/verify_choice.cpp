#include "viewer/scenes/verify_choice.h"

#include <algorithm>
#include <array>

namespace headroom {
namespace {

std::vector<std::string> kernels_of(const Recording& recording)
{
    std::vector<std::string> names;
    for (const RecordedCheck& check : recording.checks)
        if (std::ranges::find(names, check.implementation) == names.end()) names.push_back(check.implementation);
    return names;
}

const Control bound_control{.key = "bound", .label = Words::allowed, .choices = {"1", "1/4", "1/16", "1/64", "1/1024"}};

double allowed_part(const View& view)
{
    static constexpr std::array parts{1.0, 1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 1024};
    return parts[static_cast<std::size_t>(setting(view.settings, bound_control))];
}

Control kernel_control(const Recording& recording)
{
    Control control{.key = "kernel", .label = Words::kernel, .choices = {"*"}};
    for (std::string& name : kernels_of(recording)) control.choices.push_back(std::move(name));
    return control;
}

std::size_t stage_of(const RecordedCheck& check, std::size_t diverging, const View& view)
{
    const auto number_of = [&](std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(check.stages, name, &RecordedStage::stage) -
                                        check.stages.begin());
    };
    if (const auto wanted = view.settings.find("stage"); wanted != view.settings.end() && wanted->second >= 1) {
        const auto which = static_cast<std::size_t>(wanted->second) - 1;
        if (which < stages().size())
            if (const std::size_t found = number_of(stages()[which].name); found < check.stages.size()) return found;
    }
    if (diverging < check.stages.size()) return diverging;
    return std::min(number_of("output"), check.stages.empty() ? 0 : check.stages.size() - 1);
}

} // namespace

std::vector<Control> controls_of_verify(const Recording& recording)
{
    using enum Control::Kind;
    Control stage{.key = "stage", .label = Words::stage, .choices = {"auto"}};
    for (const Stage& each : stages()) stage.choices.emplace_back(each.name);
    return {kernel_control(recording),
            stage,
            bound_control,
            {.key = "executor",
             .label = Words::executor,
             .kind = choice,
             .choices = {"simt", "ptx", "device"}, // as experiments/scene_recordings.cpp lists them
             .remakes = true},
            {.key = "planted", .label = Words::planted_mistake, .kind = toggle, .remakes = true}};
}

std::vector<std::size_t> shown_checks(const Recording& recording, const View& view)
{
    const auto chosen = static_cast<std::size_t>(setting(view.settings, kernel_control(recording)));
    const std::string name = chosen == 0 ? "" : kernels_of(recording).at(chosen - 1);
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < recording.checks.size(); ++i)
        if (chosen == 0 || recording.checks[i].implementation == name) list.push_back(i);
    return list;
}

VerifyChoice verify_choice(const Recording& recording, const Overview& seen, const View& view)
{
    const std::vector<std::size_t> shown = shown_checks(recording, view);
    VerifyChoice choice;
    choice.check = shown.at(moment(shown.size(), view).step);
    const RecordedCheck& check = recording.checks[choice.check];
    choice.errors = seen.errors.at(choice.check);
    if (const double part = allowed_part(view); part < 1)
        for (StageErrors& e : choice.errors) e = errors_of(*e.stage, part);
    choice.diverging = static_cast<std::size_t>(std::ranges::find(choice.errors, true, &StageErrors::diverges) -
                                                choice.errors.begin());
    choice.stage = stage_of(check, choice.diverging, view);
    return choice;
}

std::optional<PointedError> pointed_error(const VerifyChoice& choice, const View& view)
{
    if (choice.errors.empty() || choice.errors[choice.stage].rows == 0) return std::nullopt;
    const StageErrors& e = choice.errors[choice.stage];
    const Cell c = view.chosen();
    const bool by_hand = c.part == Part::error && c.lane == static_cast<std::int32_t>(choice.check) &&
                         c.head == static_cast<std::int32_t>(choice.stage);
    PointedError pointed{.check = choice.check,
                         .stage = choice.stage,
                         .row = by_hand ? c.row : e.worst_row,
                         .column = by_hand ? c.column : e.worst_column,
                         .by_hand = by_hand,
                         .index = {}};
    pointed.index = e.index_of(pointed.row, pointed.column);
    return pointed;
}

std::optional<PointedError> pointed_error(const Recording& recording, const View& view)
{
    if (shown_checks(recording, view).empty()) return std::nullopt;
    return pointed_error(verify_choice(recording, *overview(recording, view), view), view);
}

Cell decode_cell(std::string_view stage, const std::vector<Index>& index)
{
    const auto at = [&](std::size_t axis) {
        return axis < index.size() ? static_cast<std::int32_t>(index[axis]) : std::int32_t{0};
    };
    if (stage == "output") return {Part::output, 0, at(1), at(2), at(3)};
    if (stage == "scores" || stage == "masked_scores" || stage == "weights")
        return {Part::weights, 0, at(1), at(2), at(3)};
    return {Part::q, 0, at(1), at(2), 0}; // a number of the whole row: its query
}

bool verify_has(const Recording& recording, const View& view, const Cell& cell)
{
    const std::vector<std::size_t> shown = shown_checks(recording, view);
    if (cell.part != Part::error || shown.empty()) return false;
    const std::size_t now = shown[moment(shown.size(), view).step];
    const RecordedCheck& check = recording.checks[now];
    if (cell.lane != static_cast<std::int32_t>(now) || cell.head < 0 ||
        cell.head >= static_cast<std::int32_t>(check.stages.size()))
        return false;
    const Tensor& numbers = check.stages[static_cast<std::size_t>(cell.head)].expected;
    const auto n = static_cast<Index>(numbers.values().size());
    if (n == 0) return false;
    const Index columns = numbers.shape().empty() ? 1 : numbers.shape().back();
    return cell.row >= 0 && cell.row < n / columns && cell.column >= 0 && cell.column < columns;
}

} // namespace headroom
