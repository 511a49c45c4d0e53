// Times a subject and the machine's limit in turns: on a machine that is shared, memory may be three times as fast a
// second later, so that only what is measured next to each other can be compared.
#pragma once
#include <functional>

namespace headroom {

struct Alternation {
    int rounds = 8;        // each is one block of the limit and one of the subject
    double block_ms = 120; // at least `launches`, however long they take
    int launches = 3;
    int warm_up = 2; // launches before the first round
};
struct Timing {
    double median = 0, least = 0, most = 0; // of all launches, in ms
    double limit = 0;                       // median of the limit, in ms
    double fraction = 0;                    // median over the rounds of limit / subject
};

// Each is called with the number of the launch, so that it can take another buffer each time. `limit` returns the ms of
// what the machine at its best would take; `subject` is timed from outside.
Timing alternate(const std::function<void(int launch)>& subject, const std::function<double(int launch)>& limit,
                 const Alternation& how);

} // namespace headroom
