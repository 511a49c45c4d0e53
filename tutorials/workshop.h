// Builds and runs a chapter's programs with the same CMake build that made this program.
#pragma once
#include "tutorials/chapters.h"

namespace headroom {

// The chapter's own program, its output on stdout. Throws std::runtime_error if it cannot be built or fails.
void run_program(const Chapter& chapter);

struct Verdict {
    bool compiled, passed;
    std::string words; // the compiler's first error, or what the exercise's test said
};
// Usually the chapter's exercise.cpp; 20 s are more than any takes.
Verdict check_exercise(const Chapter& chapter, const std::filesystem::path& file, int seconds = 20);

} // namespace headroom
