// How many tokens the next buffer of a growing cache holds: it has room for `capacity`, it needs room for `required`,
// it must never have room for more than `most`. (required <= most: what fits no more has been refused before.)
#pragma once
#include "reference/tensor/tensor.h"

headroom::Index next_capacity(headroom::Index capacity, headroom::Index required, headroom::Index most);
