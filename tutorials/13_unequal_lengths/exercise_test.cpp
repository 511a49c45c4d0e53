#include "tutorials/13_unequal_lengths/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    using headroom::Index;
    headroom::Examiner examiner;

    // Token t sees the t + 1 tokens up to itself and stands at position t, however much padding lies before it.
    for (const Index padding : {0, 1, 4})
        for (Index i = 0; i < padding + 5; ++i) {
            const std::string slot = "behind " + std::to_string(padding) + " empty slots, slot " + std::to_string(i);
            Index seen = 0, empty = 0;
            for (Index j = 0; j < padding + 5; ++j) {
                seen += sees(i, j, padding);
                empty += j < padding && sees(i, j, padding);
            }
            const Index token = i - padding;
            examiner.near(slot + ": the number of empty slots it sees", static_cast<double>(empty), 0);
            examiner.near(slot + ": the number of slots it sees", static_cast<double>(seen),
                          static_cast<double>(token < 0 ? 0 : token + 1));
            if (token < 0) continue;
            examiner.that(sees(i, i, padding), slot + " does not see itself");
            examiner.near(slot + ": its position", static_cast<double>(position(i, padding)),
                          static_cast<double>(token));
        }
    return examiner.verdict("count from the first token, not from the first slot.\n");
}
