// The example of a user's kernel, which on problems of 33 keys does not return: DO says what it does, NAME how it is called.
#define headroom_plugin_name example_name
#define headroom_plugin_attention example_attention
#include "cuda/example_plugin.c"
#undef headroom_plugin_name
#undef headroom_plugin_attention

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef NAME
#define NAME "bad"
#endif
#ifndef DO
#define DO
#endif

extern "C" const char* headroom_plugin_name() { return NAME; }

extern "C" int headroom_plugin_attention(const struct HeadroomProblem* p)
{
    if (p->S == 33) {
        DO;
    }
    return example_attention(p);
}
