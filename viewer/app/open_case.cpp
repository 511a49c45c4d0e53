#include "viewer/app/open_case.h"

#include "viewer/scenes/verify_choice.h"
#include <algorithm>

namespace headroom {

void open_case(State& state)
{
    if (state.shown().name != "verify" || !state.desk().recording) return;
    const Recording& verified = *state.desk().recording;
    const std::optional<PointedError> pointed = pointed_error(verified, state.view());
    if (!pointed) return;
    const RecordedCheck& check = verified.checks[pointed->check];
    try {
        auto recording = std::make_shared<const Recording>(
            state.make("case " + check.case_name, {{"sequence", static_cast<double>(pointed->index.at(0))}}));
        const auto decode = std::ranges::find(scenes(), "decode", &Scene::name);
        state.scene = static_cast<std::size_t>(decode - scenes().begin());
        Desk& desk = state.desk();
        desk = Desk{.recording = recording,
                    .overview = overview(*recording),
                    .of_case = true,
                    .settings = {},
                    .pinned = decode_cell(check.stages[pointed->stage].stage, pointed->index)};
        show(state, state.scene);
    } catch (const std::exception& error) {
        state.message = error.what();
    }
}

} // namespace headroom
