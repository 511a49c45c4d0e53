// Values on the command line that CLI11 lets pass: it takes "" for 0 and for no file, 99999999999999999999 for the largest
// integer, and nan for a number between 0 and 1.
#pragma once
#include <CLI/CLI.hpp>

namespace headroom {

// Every option of app that holds a number refuses what is not wholly one, is not finite, or is a count beyond 2^40; an
// option that holds words refuses to be empty, unless they are a prompt, a text or a line of a dialogue.
void refuse_odd_values(CLI::App& app);

} // namespace headroom
