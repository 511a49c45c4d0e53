// From Verify to Decode: the problem of the shown check, computed by the reference, with the cell in question pinned.
#pragma once
#include "viewer/app/state.h"

namespace headroom {

void open_case(State& state); // a check whose problem is not known leaves a message

} // namespace headroom
