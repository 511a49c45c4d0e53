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

StageErrors errors_of(const RecordedStage& stage, double part)
{
    StageErrors e;
    e.stage = &stage;
    e.bound = part * stage.bound;
    e.mean_bound = part * stage.mean_bound;
    e.diverges = !stage.complaint.empty();
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
            e.over += !(error <= e.bound);
        }
    e.mean = sum / static_cast<double>(n);
    if (part < 1) e.diverges |= e.over > 0 || !(e.mean <= e.mean_bound);
    return e;
}

double part_of_bound(const RecordedCheck& check, const std::vector<StageErrors>& errors)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double part = check.stages.empty() && check.status == "failed" ? infinity : 0;
    for (const StageErrors& e : errors) {
        if (e.rows > 0 && e.bound > 0) part = std::max(part, e.worst / e.bound);
        if (e.rows == 0 && e.diverges) part = infinity;
    }
    return part;
}

} // namespace headroom
