// A cache that keeps the first `sinks` tokens and the `window` newest ones, in sinks + window slots: which slot takes
// the token at a position?
#pragma once
#include "reference/tensor/tensor.h"

headroom::Index slot_of(headroom::Index position, headroom::Index sinks, headroom::Index window);
