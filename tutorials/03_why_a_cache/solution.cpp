#include "tutorials/03_why_a_cache/exercise.h"

bool sees(headroom::Index i, headroom::Index j, headroom::Index L, headroom::Index S)
{
    const headroom::Index position = S - L + i; // S - L tokens came before the new ones
    return j <= position;
}
