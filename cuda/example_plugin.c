/* An example of a user's kernel for `headroom verify --plugin`: plain C in place of a GPU. It takes float only and refuses
 * the rest. Build it with
 *     cc -shared -fPIC -O2 -I. cuda/example_plugin.c -o my_kernel.so -lm
 * and plant a mistake with -DKV_HEAD(h,p)='((h)%(p)->Hkv)': the report names the case and the worst element. */
#include "cuda/plugin.h"

#include <math.h>

#ifndef KV_HEAD
#define KV_HEAD(h, p) ((h) / ((p)->H / (p)->Hkv))
#endif

const char* headroom_plugin_name(void) { return "example"; }

static int sees(const struct HeadroomProblem* p, int64_t b, int64_t i, int64_t j)
{
    const int64_t query = p->causal == HEADROOM_TOP_LEFT ? i : p->kv_lengths[b] - p->L + i;
    if (p->causal == HEADROOM_FULL) return 1;
    return j <= query && (p->window == 0 || j > query - p->window || j < p->sinks);
}

static double score(const struct HeadroomProblem* p, const float* q, const float* k)
{
    double dot = 0;
    for (int64_t d = 0; d < p->D; ++d) dot += (double)q[d] * k[d];
    return p->scale * dot;
}

/* One query row: two passes over the keys. */
static void attend(const struct HeadroomProblem* p, int64_t b, int64_t h, int64_t i)
{
    const int64_t row = (b * p->H + h) * p->L + i, first = (b * p->Hkv + KV_HEAD(h, p)) * p->S;
    const float *q = (const float*)p->q + row * p->D, *k = (const float*)p->k + first * p->D;
    const float* v = (const float*)p->v + first * p->Dv;
    double max = -INFINITY, sum = 0;
    for (int64_t j = 0; j < p->kv_lengths[b]; ++j)
        if (sees(p, b, i, j)) max = fmax(max, score(p, q, k + j * p->D));
    for (int64_t d = 0; d < p->Dv; ++d) p->output[row * p->Dv + d] = 0;
    for (int64_t j = 0; j < p->kv_lengths[b]; ++j) {
        if (!sees(p, b, i, j)) continue;
        const double weight = exp(score(p, q, k + j * p->D) - max);
        sum += weight;
        for (int64_t d = 0; d < p->Dv; ++d) p->output[row * p->Dv + d] += (float)(weight * v[j * p->Dv + d]);
    }
    for (int64_t d = 0; d < p->Dv && sum != 0; ++d) p->output[row * p->Dv + d] /= (float)sum;
    p->lse[row] = sum != 0 ? (float)(max + log(sum)) : -INFINITY;
}

int headroom_plugin_attention(const struct HeadroomProblem* p)
{
    if (p->version != 1 || p->type != HEADROOM_F32 || p->soft_cap > 0) return HEADROOM_UNSUPPORTED;
    for (int64_t b = 0; b < p->B; ++b)
        for (int64_t h = 0; h < p->H; ++h)
            for (int64_t i = 0; i < p->L; ++i) attend(p, b, h, i);
    return HEADROOM_DONE;
}
