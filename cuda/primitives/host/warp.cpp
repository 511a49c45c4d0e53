#include "cuda/primitives/host/warp.h"

namespace headroom::cuda::simt {
namespace {

struct Shuffled {
    void* value;
    std::size_t bytes;
    int source;
};

// The lane to read; out of its segment of `width` lanes, a lane reads itself.
int source_lane(Shuffle mode, int lane, int operand, int width)
{
    const int first = lane & -width;
    switch (mode) {
    case Shuffle::index: return first + (operand & (width - 1));
    case Shuffle::up: return lane - operand >= first ? lane - operand : lane;
    case Shuffle::down: return lane + operand < first + width ? lane + operand : lane;
    case Shuffle::exclusive_or: return (lane ^ operand) < first + width ? lane ^ operand : lane;
    }
    return lane;
}

} // namespace

void shuffle(Shuffle mode, std::uint32_t mask, void* value, std::size_t bytes, int operand, int width, Site site)
{
    Lane& self = *current;
    alignas(16) std::byte result[16];
    if (bytes > sizeof result) self.block->fail("a shuffle of more than 16 bytes", &site);
    const Shuffled in{value, bytes, source_lane(mode, static_cast<int>(self.lane), operand, width)};
    self.block->meet(Op::shuffle, mask, &in, result, site, [](const Meeting& warp) {
        warp.each([&](unsigned lane) {
            const auto source = static_cast<unsigned>(warp.in<Shuffled>(lane).source) & 31u;
            if (!warp.has(source))
                current->block->fail("shuffle: lane " + std::to_string(lane) + " reads lane " + std::to_string(source) +
                                     ", which the mask does not name");
            std::memcpy(&warp.out<std::byte>(lane), warp.in<Shuffled>(source).value, warp.in<Shuffled>(lane).bytes);
        });
    });
    std::memcpy(value, result, bytes);
}

std::uint32_t ballot(std::uint32_t mask, bool predicate, Site site)
{
    std::uint32_t votes = 0;
    current->block->meet(Op::vote, mask, &predicate, &votes, site, [](const Meeting& warp) {
        std::uint32_t all = 0;
        warp.each([&](unsigned lane) { all |= std::uint32_t{warp.in<bool>(lane)} << lane; });
        warp.each([&](unsigned lane) { warp.out<std::uint32_t>(lane) = all; });
    });
    return votes;
}

} // namespace headroom::cuda::simt
