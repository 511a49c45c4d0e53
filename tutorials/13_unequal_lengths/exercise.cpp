#include "tutorials/13_unequal_lengths/exercise.h"

bool sees(headroom::Index i, headroom::Index j, headroom::Index /*padding*/)
{
    // TODO: right for a row without padding.
    return j <= i;
}

headroom::Index position(headroom::Index i, headroom::Index /*padding*/)
{
    // TODO: the first token stands at position 0, wherever its slot is.
    return i;
}
