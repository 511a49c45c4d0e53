#include "tutorials/04_storing_the_cache/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    using headroom::Index;
    headroom::Examiner examiner;

    // 100,000 tokens, one by one, from a first buffer of 16.
    Index capacity = 16, copied = 0;
    const Index tokens = 100000;
    for (Index N = 17; N <= tokens; ++N) {
        if (N <= capacity) continue;
        copied += N - 1;
        capacity = next_capacity(capacity, N, 8 * tokens);
        examiner.that(capacity >= N, "there is no room for token " + std::to_string(N));
        if (capacity < N) break;
    }
    examiner.that(copied <= 4 * tokens, "for " + std::to_string(tokens) + " tokens, " + std::to_string(copied) +
                                            " rows were copied; a few for each token are enough");
    examiner.that(capacity <= 2 * tokens, "half of the memory and more stays unused");

    examiner.that(next_capacity(512, 5000, 8192) >= 5000, "a long prompt of 5000 tokens does not fit");
    examiner.that(next_capacity(1000, 1001, 1200) == 1200, "it does not use the room up to the limit, or exceeds it");
    examiner.that(next_capacity(0, 1, 100) >= 1 && next_capacity(1, 2, 100) >= 2, "the smallest sizes do not grow");
    return examiner.verdict("if the buffer grows by a constant, the copies grow with the square of the length.\n");
}
