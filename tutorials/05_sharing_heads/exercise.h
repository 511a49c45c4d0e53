// Which KV head does query head h read, when q_heads query heads share kv_heads KV heads?
#pragma once
#include "reference/tensor/tensor.h"

headroom::Index kv_head_of(headroom::Index h, headroom::Index q_heads, headroom::Index kv_heads);
