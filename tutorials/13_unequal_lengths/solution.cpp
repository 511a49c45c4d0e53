#include "tutorials/13_unequal_lengths/exercise.h"

bool sees(headroom::Index i, headroom::Index j, headroom::Index padding)
{
    return padding <= j && j <= i; // an empty slot in front, i < padding, sees nothing
}

headroom::Index position(headroom::Index i, headroom::Index padding) { return i - padding; }
