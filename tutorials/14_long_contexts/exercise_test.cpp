#include "tutorials/14_long_contexts/exercise.h"
#include "tutorials/examiner.h"
#include <algorithm>
#include <vector>

int main()
{
    using headroom::Index;
    headroom::Examiner examiner;

    // Write 20 tokens one by one, then look for those that must still be there.
    for (const auto& [sinks, window] : {std::pair<Index, Index>{0, 5}, {2, 5}, {4, 1}, {3, 8}}) {
        std::vector<Index> slots(static_cast<std::size_t>(sinks + window), -1);
        for (Index position = 0; position < 20; ++position) {
            const Index slot = slot_of(position, sinks, window);
            const std::string token = "with " + std::to_string(sinks) + " sinks and a window of " +
                                      std::to_string(window) + ", token " + std::to_string(position);
            examiner.that(0 <= slot && slot < sinks + window, token + " goes to slot " + std::to_string(slot));
            if (slot < 0 || slot >= sinks + window) continue;
            slots[static_cast<std::size_t>(slot)] = position;
            for (Index kept = 0; kept <= position; ++kept)
                if (kept < sinks || kept > position - window)
                    examiner.that(std::ranges::count(slots, kept) == 1,
                                  token + " overwrites token " + std::to_string(kept));
        }
    }
    return examiner.verdict("only what comes behind the sinks goes round in a ring, of `window` slots.\n");
}
