// Numbers on the command line: CLI11 2.1 takes "" for 0 and 99999999999999999999 for the largest integer.
#pragma once
#include <CLI/CLI.hpp>

namespace headroom {

// Every option of app that holds integers or reals refuses what is not wholly one, or does not fit 64 bits.
void refuse_odd_numbers(CLI::App& app);

} // namespace headroom
