// The report of a fault: which thread, at which line, and where all the others wait.
#include "cuda/executor/simt/block.h"

#include <fmt/format.h>

namespace headroom::cuda::simt {
namespace {

std::string to_text(Dim d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

// {0, 1, 2, 5} -> "0-2,5"
std::string ranges(const std::vector<unsigned>& numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        if (!text.empty()) text += ",";
        text += end == i + 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
        i = end;
    }
    return text;
}

} // namespace

std::string Block::who_waits_where() const
{
    std::vector<std::pair<std::string, std::vector<unsigned>>> places;
    for (unsigned thread = 0; thread < threads_; ++thread) {
        const Lane& lane = lanes_[thread];
        std::string place = lane.exited           ? "exited"
                            : lane.op == Op::none ? "can run"
                                                  : std::string(name(lane.op)) + " at " + simt::to_text(lane.site);
        if (places.empty() || places.back().first != place) {
            auto it = places.begin();
            while (it != places.end() && it->first != place) ++it;
            if (it == places.end()) it = places.insert(it, {place, {}});
            it->second.push_back(thread);
        } else
            places.back().second.push_back(thread);
    }
    std::string text;
    for (const auto& [place, threads] : places) text += fmt::format("\n  threads {}: {}", ranges(threads), place);
    return text;
}

void Block::describe_fault(const std::string& what, const Site* site)
{
    Lane& self = *current;
    const Site& place = site ? *site : self.site;
    fault_ =
        fmt::format("{}, block {}, thread {} (warp {}, lane {}){}: {}{}", kernel_.name, to_text(index_), self.thread,
                    self.warp, self.lane, place.line ? ", " + simt::to_text(place) : "", what, who_waits_where());
}

void Block::fail(const std::string& what, const Site* site)
{
    describe_fault(what, site);
    throw Failed(); // to fiber_main: what the thread owns is released; the other fibers are abandoned where they wait
}

} // namespace headroom::cuda::simt
