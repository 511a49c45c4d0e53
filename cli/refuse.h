// How the programs say that something is wrong: one line on standard error, and exit code 2.
#pragma once
#include <string>

namespace headroom {

int refuse(std::string why); // one line, whatever the message or the names in it contain

} // namespace headroom
