// Which keys does a query see? Query i of L new ones, key j of S altogether; the newest query stands at the newest key.
#pragma once
#include "reference/tensor/tensor.h"

bool sees(headroom::Index i, headroom::Index j, headroom::Index L, headroom::Index S);
