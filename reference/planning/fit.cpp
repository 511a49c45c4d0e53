#include "reference/planning/fit.h"

#include "reference/planning/checked.h"

namespace headroom {
namespace {

constexpr Index longest_considered = Index{1} << 40;

bool holds(const Geometry& g, const PlanSettings& s, Index context, Index room)
{
    const auto bytes = kv_bytes_if_countable(g, s.cache, context, s.batch);
    return bytes && *bytes <= room;
}

// Bytes never fall as the context grows: halve the interval between a length that fits and one that does not.
std::optional<Index> longest_context(const Geometry& g, const PlanSettings& s, Index room)
{
    if (holds(g, s, longest_considered, room)) return std::nullopt;
    Index fits = 0, too_long = longest_considered;
    while (too_long - fits > 1) {
        const Index middle = fits + (too_long - fits) / 2;
        (holds(g, s, middle, room) ? fits : too_long) = middle;
    }
    return fits;
}

} // namespace

Fit fit(const Geometry& g, const PlanSettings& s, Index context, Index weight_bytes)
{
    Fit f;
    f.memory_bytes = s.memory->bytes;
    f.reserve_bytes = s.reserve_bytes.value_or(f.memory_bytes / 10);
    if (f.reserve_bytes > f.memory_bytes)
        throw std::invalid_argument("the reserve of " + size_text(f.reserve_bytes) + " is larger than the memory of " +
                                    size_text(f.memory_bytes));
    f.weight_bytes = divide_up(weight_bytes, s.cache.ranks);
    f.room_bytes = f.memory_bytes - f.reserve_bytes - f.weight_bytes;
    f.longest_context = 0;
    f.largest_batch = 0;
    if (f.room_bytes < 0) return f;
    f.longest_context = longest_context(g, s, f.room_bytes);
    const Index one = sequence_bytes(g, s.cache, context);
    f.largest_batch = one == 0 ? std::nullopt : std::optional(f.room_bytes / one);
    return f;
}

} // namespace headroom
