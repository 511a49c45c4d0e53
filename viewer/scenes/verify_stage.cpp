#include "viewer/scenes/verify_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom {

double StageErrors::error(Index row, Index column) const
{
    const double g = got(row, column), e = expected(row, column);
    if (std::isinf(e) && g == e) return 0;
    const double difference = std::fabs(g - e);
    return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

bool StageErrors::is_equal(Index row, Index column) const
{
    return got(row, column) == static_cast<double>(static_cast<float>(expected(row, column)));
}

std::vector<Index> StageErrors::index_of(Index row, Index column) const
{
    const Shape& shape = stage->expected.shape();
    Index flat = row * columns + column;
    std::vector<Index> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = flat % shape[axis];
        flat /= shape[axis];
    }
    return index;
}

StageErrors errors_of(const RecordedStage& stage)
{
    StageErrors e;
    e.stage = &stage;
    const Index n = static_cast<Index>(stage.expected.values().size());
    if (stage.expected.empty() || n == 0) return e;
    e.columns = stage.expected.shape().empty() ? 1 : stage.expected.shape().back();
    e.rows = n / e.columns;
    double sum = 0;
    bool first = true;
    for (Index r = 0; r < e.rows; ++r)
        for (Index c = 0; c < e.columns; ++c) {
            const double error = e.error(r, c);
            sum += error;
            if (error > e.worst || first) e.worst = error, e.worst_row = r, e.worst_column = c;
            first = false;
            e.equal += e.is_equal(r, c);
            e.over += !(error <= stage.bound);
        }
    e.mean = sum / static_cast<double>(n);
    return e;
}

double part_of_bound(const RecordedCheck& check)
{
    double part = check.stages.empty() && check.status == "failed" ? std::numeric_limits<double>::infinity() : 0;
    for (const RecordedStage& stage : check.stages) {
        const StageErrors e = errors_of(stage);
        if (e.rows > 0 && stage.bound > 0) part = std::max(part, e.worst / stage.bound);
        if (e.rows == 0 && !stage.complaint.empty()) part = std::numeric_limits<double>::infinity();
    }
    return part;
}

std::size_t first_diverging(const RecordedCheck& check)
{
    const auto found = std::ranges::find_if(check.stages, [](const RecordedStage& s) { return !s.complaint.empty(); });
    return static_cast<std::size_t>(found - check.stages.begin());
}

std::size_t shown_stage(const RecordedCheck& check, const View& view)
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
    const std::size_t diverging = first_diverging(check);
    if (diverging < check.stages.size()) return diverging;
    return std::min(number_of("output"), check.stages.empty() ? 0 : check.stages.size() - 1);
}

} // namespace headroom
