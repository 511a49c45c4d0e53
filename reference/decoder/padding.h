// Rows made equally long with tokens that mean nothing: the usual way to batch sequences of unequal length, and why it
// needs a mask and positions of each row's own.
#pragma once
#include "reference/decoder/token_batch.h"

namespace headroom {

enum class Side : std::uint8_t { left, right };

// One pass over padded rows. real [B][S] says of every slot so far, those of this pass last, whether it holds a token of
// the sequence. A slot's position is the number of real slots before it: with the mask [[0,0,1,1,1],[1,1,1,1,1]] the real
// tokens of row 0 stand at 0,1,2 and its next token at 3, those of row 1 at 0..4 and its next at 5.
TokenBatch padded_pass(std::vector<std::vector<int>> tokens, const std::vector<std::vector<bool>>& real);

struct PaddedRows {
    std::vector<std::vector<int>> tokens; // [B][longest], padded with token 0
    std::vector<std::vector<bool>> real;  // [B][longest]
};
PaddedRows pad(const std::vector<std::vector<int>>& rows, Side side);

} // namespace headroom
