// A sequence in a padded row: `padding` empty slots, then its tokens. Which key slots does query slot i see, and which
// position has the token in slot i?
#pragma once
#include "reference/tensor/tensor.h"

bool sees(headroom::Index i, headroom::Index j, headroom::Index padding);
headroom::Index position(headroom::Index i, headroom::Index padding); // of a token, i >= padding
