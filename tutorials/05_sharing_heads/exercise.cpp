#include "tutorials/05_sharing_heads/exercise.h"

headroom::Index kv_head_of(headroom::Index h, headroom::Index /*q_heads*/, headroom::Index kv_heads)
{
    // TODO: every KV head has as many readers as any other. But are they the ones that it was trained with?
    return h % kv_heads;
}
