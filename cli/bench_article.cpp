#include "cli/bench_output.h"

#include "cli/text.h"
#include <algorithm>
#include <fmt/format.h>

namespace headroom {
namespace {

std::string both(Index calculated, Index measured) // one number where they agree
{
    if (calculated == measured) return bytes_text(measured);
    return bytes_text(calculated) + " / " + bytes_text(measured);
}

MemorySplit memory_of(const std::vector<ArticleRow>& rows, const std::string& name) // of a decode step
{
    return std::ranges::find_if(rows, [&](const ArticleRow& r) { return r.name == name && r.phase == "decode"; })
        ->measured;
}

constexpr const char* explanation = R"(
tokens/s: prefill, the B L = {all} tokens that are taken in, per second of one pass; decode, the B = {batch} tokens that are
made, per second of one step. Without a cache a step takes in all {all} again.

What of the article's own table can come out, and what cannot:

  throughput   In each of its rows latency x throughput is about 819 tokens. A decode step makes 8 and a prefill takes in
               8192, ten times as many: a factor of ten is lost, in every row alike. Here each phase has its own tokens.
  memory       "The cache halves the memory": the cache itself adds {cache} per layer (K and V of all tokens, f32; half of
               that in f16). What shrinks is what a step no longer computes again. The scores, {scores} if they are kept
               whole, become one row per head; tiled attention never has them, with a cache or without. The activations of
               all tokens become those of one (but for their input, {input}, which stays in memory here): so one layer's
               step with MHA takes {without} without a cache and {with} with it. But caches add up over the layers and
               activations do not: of 12 layers, {without12} and {with12}.
  "saves 50 %" could mean that one layer, or the scores, or K and V in half precision. Fewer KV heads save more than that of
               the cache: 4 instead of 16 leave a quarter. Of the weights they save only those of k_proj and v_proj.
  prefill      With a cache or without, the same work. Fewer KV heads leave the multiplications of Q K and P V as they are;
               k_proj and v_proj shrink.
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
    fmt::print("{:<18} {:<8} {:>12} {:>12} {:>20} {:>10} {:>10} {:>10}\n", "", "phase", "weights", "activations",
               "scores", "cache", "1 layer", "12 layers");
    for (const ArticleRow& r : rows)
        fmt::print("{:<18} {:<8} {:>12} {:>12} {:>20} {:>10} {:>10} {:>10}\n", r.name, r.phase,
                   both(r.calculated.weights, r.measured.weights),
                   both(r.calculated.activations, r.measured.activations), both(r.calculated.scores, r.measured.scores),
                   both(r.calculated.cache, r.measured.cache), bytes_text(r.measured.total()),
                   bytes_text(of_layers(r.measured, 12).total()));
    fmt::print("\n12 layers (calculated): weights and cache twelve times, activations and scores once, for a layer "
               "gives them back.\n"
               "Not counted: a few hundred KiB per thread in which matrix products turn their tiles.\n");
    const Index whole = s.sequences * s.q_heads * s.tokens * s.tokens * Index{sizeof(float)};
    const Index cache = 2 * s.sequences * s.tokens * s.width * Index{sizeof(float)};
    const MemorySplit without = memory_of(rows, "MHA"), with = memory_of(rows, "MHA + cache");
    fmt::print(fmt::runtime(explanation), fmt::arg("all", s.sequences * s.tokens), fmt::arg("batch", s.sequences),
               fmt::arg("cache", bytes_text(cache)), fmt::arg("scores", bytes_text(whole)),
               fmt::arg("input", bytes_text(s.sequences * s.tokens * s.width * Index{sizeof(float)})),
               fmt::arg("without", bytes_text(without.total())), fmt::arg("with", bytes_text(with.total())),
               fmt::arg("without12", bytes_text(of_layers(without, 12).total())),
               fmt::arg("with12", bytes_text(of_layers(with, 12).total())));
}

} // namespace headroom
