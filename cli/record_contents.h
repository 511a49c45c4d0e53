// What a recording holds, for scripts; and the command that made it.
#pragma once
#include "reference/recording/recording.h"

namespace CLI {
class App;
}

namespace headroom {

std::string contents_json(const Recording& recording);
std::string as_given(const CLI::App& app); // the options that were given, in the order of --help, without -o and --json

} // namespace headroom
