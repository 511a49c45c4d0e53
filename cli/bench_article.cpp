#include "cli/bench_output.h"

#include "cli/terminal.h"
#include "cli/text.h"
#include <fmt/format.h>

namespace headroom {
namespace {

std::string both(Index calculated, Index measured) // one number where they agree
{
    if (calculated == measured) return bytes_text(measured);
    return bytes_text(calculated) + " / " + bytes_text(measured);
}

constexpr const char* explanation = R"(
tokens/s: prefill, the B L = 8192 tokens that are taken in, per second of one pass; decode, the B = 8 tokens that are made,
per second of one step. Without a cache a step takes in all 8192 again.

What of the article's own table can come out, and what cannot:

  throughput   In each of its rows latency x throughput is about 819 tokens. A decode step makes 8 and a prefill takes in
               8192, ten times as many: its throughput has no definition that fits its latency. Here both are stated.
  memory       "The cache halves the memory" cannot come from the cache: it adds {cache} per layer here (K and V of
               all tokens, f32; half of that in f16). What is large and can shrink is the tensor of scores, {scores} if it is
               kept whole, and that a cache lets a decode step leave away: one row of it per head is left. Tiled
               attention never has it, with a cache or without (column "scores").
  "saves 50 %" could mean the scores (see MHA, whole scores), or K and V in half precision. Fewer KV heads save more than
               that of the cache: 4 instead of 16 leave a quarter. Of the weights they save only those of k_proj and v_proj.
  prefill      Fewer KV heads leave the multiplications of Q K and P V as they are; k_proj and v_proj shrink.
  decode       Here the cache pays: it replaces a pass over all tokens by one token's row. And fewer KV heads pay: a step
               reads weights and cache once, and the cache is the larger part.
)";

} // namespace

void print_article(const std::vector<ArticleRow>& rows, const LayerShape& s)
{
    fmt::print("One attention layer: width {}, {} query heads of {}, {} tokens, batch {}, f32\n\n", s.width, s.q_heads,
               s.head_dim(), s.tokens, s.sequences);
    fmt::print("{:<18} {:<8} {:>11} {:>24} {:>12} {:>9}\n", "", "phase", "ms, median", "least … most", "tokens/s",
               "of limit");
    for (const ArticleRow& r : rows)
        fmt::print("{:<18} {:<8} {:>11.2f} {:>24} {:>12.0f} {:>9.2f}\n", r.name, r.phase, r.row.time.median,
                   fmt::format("{:.2f} … {:.2f}", r.row.time.least, r.row.time.most), r.tokens_per_second,
                   r.row.time.fraction);
    fmt::print("\nMemory: calculated / measured by a counting allocator, one number where they are equal.\n\n");
    fmt::print("{:<18} {:<8} {:>12} {:>12} {:>24} {:>12} {:>22}\n", "", "phase", "weights", "activations", "scores",
               "cache", "12 layers (calculated)");
    for (const ArticleRow& r : rows)
        fmt::print("{:<18} {:<8} {:>12} {:>12} {:>24} {:>12} {:>22}\n", r.name, r.phase,
                   both(r.calculated.weights, r.measured.weights),
                   both(r.calculated.activations, r.measured.activations), both(r.calculated.scores, r.measured.scores),
                   both(r.calculated.cache, r.measured.cache), bytes_text(of_layers(r.calculated, 12).total()));
    fmt::print(
        "\n12 layers: weights and cache twelve times, activations and scores once, for a layer gives them back.\n"
        "Not counted: a few hundred KiB per thread in which matrix products turn their tiles.\n");
    const Index whole = s.sequences * s.q_heads * s.tokens * s.tokens * Index{sizeof(float)};
    const Index cache = 2 * s.sequences * s.tokens * s.width * Index{sizeof(float)};
    fmt::print(fmt::runtime(explanation), fmt::arg("cache", bytes_text(cache)), fmt::arg("scores", bytes_text(whole)));
}

void print_long(const std::vector<LongPoint>& points, const std::vector<Index>& lengths)
{
    std::vector<std::string> heads;
    for (const LongPoint& p : points)
        if (std::ranges::find(heads, p.heads) == heads.end()) heads.push_back(p.heads);
    fmt::print("One token more, one attention layer of width 1024 with 16 query heads, batch 1: ms, median\n\n{:>7}",
               "tokens");
    for (const char* how : {"recompute", "cache"})
        for (const std::string& each : heads) fmt::print(" {:>17}", each + ", " + how);
    fmt::print(" {:>11} {:>11} {:>11}\n", "a", "b", "c");
    for (const Index n : lengths) {
        fmt::print("{:>7}", n);
        for (const bool cached : {false, true})
            for (const std::string& each : heads) fmt::print(" {:>17.3f}", ms_at(points, each, cached, n));
        const double mha = ms_at(points, heads[0], true, n), gqa = ms_at(points, heads[1], true, n);
        const double mqa = ms_at(points, heads[2], true, n), again = ms_at(points, heads[0], false, n);
        fmt::print(" {:>11.1f} {:>11.2f} {:>11.2f}\n", again / gqa, mha / gqa, mha / mqa);
    }
    fmt::print(R"(
a: MHA computed again / {0} with a cache. b: MHA / {0}, both with a cache. c: MHA / MQA, both with a cache.

"Beyond 2048 tokens the combination is 3 to 5 times faster": against MHA that computes everything again (a), it is faster by
far more, at every length, and the more the longer the text: one row instead of all of them. Against MHA with a cache (b),
the ratio of the bytes that a step reads is its ceiling: weights and cache of the one over weights and cache of the other. It
begins near 1.6, where the weights are most of the bytes, and reaches 3 to 4 only where the cache is most of them; never 5
with 4 of 16 KV heads. So the claim holds for (b) at long lengths, and is no rule for (a).
)",
               heads[1]);
}

} // namespace headroom
