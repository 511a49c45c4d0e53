#include "tutorials/03_why_a_cache/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    using headroom::Index;
    headroom::Examiner examiner;

    // A token sees as many keys, whether it comes with all others, with some, or alone.
    for (const Index S : {1, 4, 9})
        for (Index L = 1; L <= S; ++L)
            for (Index i = 0; i < L; ++i) {
                Index seen = 0;
                for (Index j = 0; j < S; ++j) seen += sees(i, j, L, S);
                const Index token = S - L + i;
                examiner.near("of " + std::to_string(S) + " tokens, " + std::to_string(L) + " of them new, token " +
                                  std::to_string(token) + ": the number of keys it sees",
                              static_cast<double>(seen), static_cast<double>(token + 1));
                examiner.that(sees(i, token, L, S), "a token does not see itself");
                examiner.that(token + 1 == S || !sees(i, token + 1, L, S), "a token sees the next one");
            }
    return examiner.verdict("before query i there are the S - L tokens of the cache, and i new ones.\n");
}
