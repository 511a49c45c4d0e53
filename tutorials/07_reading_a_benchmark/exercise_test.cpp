#include "tutorials/07_reading_a_benchmark/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    headroom::Examiner examiner;
    struct Claim {
        double latency_ms, tokens_per_second;
        int batch, length;
        const char* timed;
    };
    for (const Claim& claim : {Claim{2, 4000, 8, 1024, "decode step"},
                               {0.5, 15900, 8, 1024, "decode step"},
                               {100, 81920, 8, 1024, "prefill"},
                               {33.3, 246000, 8, 1024, "prefill"},
                               {100, 8192, 8, 1024, "neither"},  // a tenth of a prefill
                               {20, 40950, 8, 1024, "neither"},  // the same, on a faster machine
                               {8, 125, 1, 1024, "decode step"}, // one sequence: 1 token
                               {50, 80000, 4, 1000, "prefill"}}) {
        const std::string timed = what_was_timed(claim.latency_ms, claim.tokens_per_second, claim.batch, claim.length);
        examiner.that(timed == claim.timed, std::to_string(claim.latency_ms) + " ms at " +
                                                std::to_string(claim.tokens_per_second) + " tokens/s, batch " +
                                                std::to_string(claim.batch) + " of " + std::to_string(claim.length) +
                                                ": \"" + timed + "\", it should be \"" + claim.timed + "\"");
    }
    return examiner.verdict("latency in seconds times tokens per second is the number of tokens of one run.\n");
}
