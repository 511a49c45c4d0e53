// Counts the instructions that this process's threads execute outside the kernel, with Linux's hardware counters: many
// virtual machines have none, and some systems do not permit it.
#pragma once
#include <string>
#include <vector>

namespace headroom {

class InstructionCounter {
public:
    InstructionCounter(); // counts from now on, in the threads that there are now
    ~InstructionCounter();
    InstructionCounter(const InstructionCounter&) = delete;
    InstructionCounter& operator=(const InstructionCounter&) = delete;

    const std::string& why_not() const { return why_not_; } // empty: it counts
    double count() const;                                   // of all these threads together; 0 where it does not count

private:
    std::vector<int> files_; // one for each thread
    std::string why_not_;
};

} // namespace headroom
