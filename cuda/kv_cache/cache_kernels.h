// What a cache does on a GPU: write new tokens to their places, quantise them on the way, and, the slow way, repeat every
// head of a group for implementations that want as many KV heads as query heads.
#pragma once
#include "cuda/executor/executor.h"
#include "reference/contract/kv_view.h"

namespace headroom::cuda {

// New tokens of one part of a cache: rows [B, Hkv, new_tokens, D], dense, go behind the `length` tokens that are there.
struct NewRows {
    const void* rows;
    StoredView part;                 // [blocks, Hkv, block_size, D]: where they go; its memory is written
    const Index* length;             // [B] tokens stored before
    const std::int32_t* block_table; // [B, blocks_per_sequence] or null: one block per sequence
    Index blocks_per_sequence;
    int B, Hkv, new_tokens, D;
};

// Rows have the cache's type (f32, f16, bf16). Contiguous and paged are one kernel: only the place differs.
void append(Executor& executor, const NewRows& rows);

// Float rows become int8 with a scale per token and head: scale = largest / 127, code = round(x / scale). A row
// with a number that is not finite has scale NaN, so that none is hidden.
void quantise_append(Executor& executor, const NewRows& rows);

// [B, Hkv, S, D] bytes become [B, Hkv * group_size, S, D]: each head repeated group_size times in a row.
struct Expansion {
    const std::byte* from;
    std::byte* to;
    int B, Hkv, group_size;
    Index head_bytes; // S * D numbers; a multiple of 16
};
void expand(Executor& executor, const Expansion& expansion);

} // namespace headroom::cuda
