#include "tutorials/14_long_contexts/exercise.h"

headroom::Index slot_of(headroom::Index position, headroom::Index sinks, headroom::Index window)
{
    if (position < sinks) return position; // these stay
    return sinks + (position - sinks) % window;
}
