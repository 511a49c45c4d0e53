// The key E: the shown scene as SVG and PNG, into the folder in which the program was started.
#pragma once
#include "viewer/app/state.h"

namespace headroom {

void export_now(State& state); // the message says what was written

} // namespace headroom
