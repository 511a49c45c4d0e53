// The same rows of numbers as one head and as two: two heads can look at two things at once.
#include "reference/attention/attention.h"
#include <fmt/core.h>

using namespace headroom;

const char* const tokens[4] = {"the", "red", "ball", "rolls"};

// A row of E = 4 numbers for each token; the next token's query looks for a colour and for a thing.
const Tensor keys({4, 4}, {0, 0, 0, 0,   // the
                           3, 0, 0, 0,   // red: a colour
                           0, 0, 0, 3,   // ball: a thing
                           0, 1, 1, 0}); // rolls
const Tensor values({4, 4}, {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4});
const Tensor query({1, 4}, {2, 0, 0, 2});

// Head h gets the numbers h D … h D + D - 1 of every row.
Tensor split_heads(const Tensor& rows, Index H) // [S, H D] -> [1, H, S, D]
{
    const Index S = rows.extent(0), D = rows.extent(1) / H;
    Tensor heads({1, H, S, D});
    for (Index j = 0; j < S; ++j)
        for (Index h = 0; h < H; ++h)
            for (Index d = 0; d < D; ++d) heads(0, h, j, d) = rows(j, h * D + d);
    return heads;
}

void show(Index H)
{
    // Every head is chapter 1 on its own slice; no head knows of another.
    const Tensor q = split_heads(query, H);  // [1, H, 1, D]
    const Tensor k = split_heads(keys, H);   // [1, H, S, D]
    const Tensor v = split_heads(values, H); // [1, H, S, D]
    const Index length = 4;
    const AttentionStages stages =
        attention({.q = view(q), .kv = {.k = view(k), .v = view(v), .sequences = 1, .length = &length}, .options = {}});

    const Index S = k.extent(2), D = k.extent(3);
    fmt::print("{} head(s) of D = {}: {} multiply-adds, {} weights\n", H, D, 2 * H * S * D, H * S);
    for (Index h = 0; h < H; ++h) {
        fmt::print("  {}/{} sees", h, H);
        for (Index j = 0; j < S; ++j) fmt::print("  {} {:.4f}", tokens[j], stages.weights(0, h, 0, j));
        fmt::print("  and takes {:.4f}\n", stages.output(0, h, 0, 0));
    }
}

int main()
{
    show(1);
    show(2);
}
