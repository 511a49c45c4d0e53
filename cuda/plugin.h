/* Bring your own kernel: a shared object with these two functions is compared with the reference by
 *     headroom verify --plugin ./my_kernel.so
 * C, so that any compiler's kernels fit. All pointers are host memory, dense and row-major; copy to and from your GPU.
 * It runs in a process of its own: where it crashes, exits, throws or hangs, that case has failed, and the next
 * is asked of a new process. Processes that it starts end with it; where it forks and both return, the parent's answer counts.
 * What it prints on standard output goes to standard error. cuda/example_plugin.c is a complete one. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum HeadroomType { HEADROOM_F32 = 1, HEADROOM_F16 = 2, HEADROOM_BF16 = 3 };
enum HeadroomCausal { HEADROOM_FULL = 0, HEADROOM_BOTTOM_RIGHT = 1, HEADROOM_TOP_LEFT = 2 };
enum HeadroomResult { HEADROOM_DONE = 0, HEADROOM_UNSUPPORTED = 1, HEADROOM_FAILED = 2 };

struct HeadroomProblem {
    int64_t version;                /* of this struct: 1 */
    int64_t B, H, Hkv, L, S, D, Dv; /* query head h reads KV head h / (H / Hkv) */
    const void* q;                  /* [B, H, L, D] */
    const void* k;                  /* [B, Hkv, S, D]; only the first kv_lengths[b] rows are written, the rest is NaN */
    const void* v;                  /* [B, Hkv, S, Dv] */
    int64_t type;                   /* HeadroomType of q, k and v */
    const int64_t* kv_lengths;      /* [B] */
    int64_t causal;                 /* HeadroomCausal; bottom-right: query i stands at kv_lengths[b] - L + i */
    int64_t window;                 /* keys that a query sees, its own included; 0: all */
    int64_t sinks;                  /* first tokens that stay visible behind the window */
    double scale;                   /* scores = scale * q k */
    double soft_cap;                /* then cap * tanh(scores / cap); 0: not */
    float* output; /* [B, H, L, Dv], to be written; a query that sees no key: 0, one that sees a NaN: NaN */
    float* lse;    /* [B, H, L], to be written: log sum exp(scores), -infinity where no key is seen */
};

const char* headroom_plugin_name(void);                               /* 1 to 100 printable characters */
int headroom_plugin_attention(const struct HeadroomProblem* problem); /* HeadroomResult */

#ifdef __cplusplus
}
#endif
