// A plan on one screen: the answer first, then what sharing heads saves, then how it follows.
#include "cli/plan_output.h"
#include "cli/text.h"

#include "reference/planning/advice.h"
#include "reference/planning/fit.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {
namespace {

std::string headline(const Plan& p)
{
    const Geometry& g = p.geometry;
    LayerGeometry most;
    for (const LayerGeometry& layer : g.layers)
        if (layer.attends() && layer.kv_heads >= most.kv_heads) most = layer;
    std::string text = fmt::format("{}: {}", g.name, g.kind);
    if (g.attention_layers() == 0) return text + ", no attention\n\n";
    text += g.attention_layers() == static_cast<Index>(g.layers.size())
                ? fmt::format(", {} layers", g.layers.size())
                : fmt::format(", {} of {} layers attend to the text", g.attention_layers(), g.layers.size());
    if (most.latent)
        text +=
            fmt::format(", {} query heads share one latent vector of {} + {}", g.q_heads, g.latent.rank, g.latent.rope);
    else
        text += fmt::format(", {} query heads on {} KV head{} of {}", g.q_heads, most.kv_heads,
                            most.kv_heads == 1 ? "" : "s", most.head_dim);
    return text + "\n\n";
}

void answer(std::string& text, const std::string& value, const std::string& what)
{
    text += wrapped(what, fmt::format("  {:>12}  ", value), std::string(16, ' '));
}

constexpr const char* uncountable = "> 8 EiB"; // where a comparison has more bytes than can be counted

std::optional<double> percent_of_mha(const Plan& p)
{
    if (p.mha_kv_bytes.value_or(0) == 0) return std::nullopt;
    return 100 * static_cast<double>(p.kv_bytes) / static_cast<double>(*p.mha_kv_bytes);
}

std::string cost(const Plan& p)
{
    const Geometry& g = p.geometry;
    const KvSettings& s = p.settings.cache;
    const std::string scales = s.format.scaling == Scaling::per_head_and_token ? ", scales included" : "";
    std::string text;
    answer(text, size_text(p.bytes_per_token),
           fmt::format("per token, stored as {}{} ({} B)", s.format.name, scales, count_text(p.bytes_per_token)));
    if (p.bytes_per_token_beyond_window != p.bytes_per_token)
        answer(text, size_text(p.bytes_per_token_beyond_window),
               fmt::format("per token once every window is full ({} B)", count_text(p.bytes_per_token_beyond_window)));
    if (p.bytes_per_token_beyond_chunk != p.bytes_per_token_beyond_window)
        answer(text, size_text(p.bytes_per_token_beyond_chunk),
               "per token beyond the first chunk, if the engine evicts chunks");
    if (p.bytes_per_token_expanded > 0)
        answer(text, size_text(p.bytes_per_token_expanded), "per token in an engine that expands the latent vector");
    if (p.fixed_bytes_per_sequence > 0)
        answer(text, size_text(p.fixed_bytes_per_sequence),
               fmt::format("per sequence for the {}s, whatever its length", g.cross.source));
    else if (p.source_token_bytes > 0)
        answer(text, size_text(p.source_token_bytes),
               fmt::format("per {}, once per sequence (--source-tokens)", g.cross.source));
    const std::string batch =
        p.settings.batch == 1 ? "" : fmt::format("{} sequences of ", count_text(p.settings.batch));
    answer(text, size_text(p.kv_bytes),
           fmt::format("for {}{} tokens ({} B{})", batch, count_text(p.context), count_text(p.kv_bytes),
                       s.page > 1 ? fmt::format(", whole blocks of {}", s.page) : ""));
    if (p.kv_bytes_not_evicting != p.kv_bytes)
        answer(text, p.kv_bytes_not_evicting ? size_text(*p.kv_bytes_not_evicting) : uncountable,
               "for the same if the engine never evicts");
    if (s.ranks > 1)
        answer(
            text, size_text(p.kv_bytes_per_rank),
            fmt::format("of that on each of {} GPUs ({} per token)", s.ranks, size_text(p.bytes_per_token_per_rank)));
    if (g.model_context > 0 && p.context > g.model_context)
        answer(text, "note", fmt::format("the model itself states {} tokens", count_text(g.model_context)));
    return text;
}

std::string fit_line(const std::string& name, const Fit& f)
{
    if (f.room_bytes < 0)
        return fmt::format("  {:<12}{:>11}   the weights ({} per GPU) do not fit beside a reserve of {}\n", name, "-",
                           size_text(f.weight_bytes), size_text(f.reserve_bytes));
    return fmt::format("  {:<12}{:>11}{:>17}{:>15}\n", name, size_text(f.room_bytes),
                       f.longest_context ? count_text(*f.longest_context) : "unlimited",
                       f.largest_batch ? count_text(*f.largest_batch) : "unlimited");
}

std::string fits(const Plan& p)
{
    if (!p.weights.bytes) return wrapped(fmt::format("What fits is unknown: {}.", p.weights.bytes_reason), "\n", "");
    const std::string weights = p.weights.parameters
                                    ? fmt::format("{} parameters, {} as {}", count_text(*p.weights.parameters),
                                                  size_text(*p.weights.bytes), p.weights.dtype)
                                    : size_text(*p.weights.bytes);
    std::string text =
        wrapped(fmt::format("What fits beside the weights ({}), with {} of the memory kept free:", weights,
                            p.fit && p.settings.reserve_bytes ? size_text(*p.settings.reserve_bytes) : "a tenth"),
                "\n", "");
    text += fmt::format("  {:<12}{:>11}{:>17}{:>15}\n", "", "room",
                        p.settings.batch == 1 ? "longest context" : "longest context*", "largest batch");
    if (p.fit) {
        text += fit_line(p.settings.memory->text, *p.fit);
    } else {
        for (const char* name : {"rtx4090", "l40s", "a100-80gb", "h200"}) {
            PlanSettings one = p.settings;
            one.memory = Memory{gpu(name).memory_bytes, name};
            text += fit_line(name, fit(p.geometry, one, p.context, *p.weights.bytes));
        }
    }
    if (p.settings.batch > 1) text += fmt::format("  * of each of {} sequences\n", count_text(p.settings.batch));
    if (p.roofline)
        text += wrapped(fmt::format("Decoding: at most {:.0f} tokens/s ({:.2f} ms a step), as a step reads {} of "
                                    "weights and {} of cache at {:.2f} TB/s",
                                    p.roofline->tokens_per_second, p.roofline->step_ms,
                                    size_text(p.roofline->weight_bytes_read), size_text(p.roofline->kv_bytes_read),
                                    static_cast<double>(p.roofline->bandwidth) / 1e12),
                        "", "  ");
    return text;
}

// The bar of `most` bytes is 32 long, and so is one whose bytes cannot be counted.
std::string share_line(const std::string& name, Index per_token, std::optional<Index> total, double most)
{
    const double share = total ? static_cast<double>(*total) / most : 1;
    const auto length = static_cast<std::size_t>(most > 0 ? std::max(1.0, 32 * share) : 0);
    return fmt::format("  {:<18}{:>10}{:>12}  {}\n", name, size_text(per_token),
                       total ? size_text(*total) : uncountable, std::string(length, '#'));
}

std::string sharing(const Plan& p)
{
    if (p.geometry.attention_layers() == 0) return "";
    const double most = p.mha_kv_bytes ? static_cast<double>(std::max(*p.mha_kv_bytes, p.kv_bytes)) : 0x1p63;
    std::string text = fmt::format("\n{:<20}{:>10}{:>12}\n", "The same model", "per token", "in all");
    text += share_line("as MHA", p.mha_bytes_per_token, p.mha_kv_bytes, most);
    if (p.geometry.kind != "MHA" && p.geometry.kind != "MQA") {
        text += share_line(fmt::format("{} as it is", p.geometry.kind), p.bytes_per_token, p.kv_bytes, most);
        if (const auto percent = percent_of_mha(p))
            text.insert(text.size() - 1, fmt::format("  {:.1f} % saved", 100 - *percent));
    }
    return text + share_line(p.geometry.kind == "MQA" ? "MQA as it is" : "as MQA", p.mqa_bytes_per_token,
                             p.mqa_kv_bytes, most);
}

std::string reasons(const Plan& p)
{
    std::string text = "\nHow this follows\n";
    for (const std::string& sentence : p.derivation) text += wrapped(sentence, "  - ", "    ");
    if (!p.weights.parameters)
        text += wrapped(fmt::format("parameters: {}", p.weights.parameters_reason), "  - ", "    ");
    if (const auto advice = advise(p)) {
        text += "Advice\n";
        for (const std::string& sentence : advice->sentences) text += wrapped(sentence, "  - ", "    ");
    }
    return text;
}

} // namespace

std::string plan_text(const Plan& p) { return headline(p) + cost(p) + fits(p) + sharing(p) + reasons(p); }

std::string comparison_text(std::span<const Plan> plans)
{
    std::size_t widest = 5;
    for (const Plan& p : plans) widest = std::max(widest, p.geometry.name.size());
    std::string text =
        fmt::format("{:<{}}  {:<6} {:>9} {:>7} {:>8} {:>11} {:>11} {:>11} {:>9}\n", "model", widest, "kind", "layers",
                    "heads", "KV x width", "per token", "beyond win.", "in all", "of MHA");
    for (const Plan& p : plans) {
        LayerGeometry most;
        for (const LayerGeometry& layer : p.geometry.layers)
            if (layer.attends() && layer.kv_heads >= most.kv_heads) most = layer;
        const auto share = percent_of_mha(p);
        text += fmt::format("{:<{}}  {:<6} {:>9} {:>7} {:>8} {:>11} {:>11} {:>11} {:>9}\n", p.geometry.name, widest,
                            p.geometry.kind, fmt::format("{}/{}", p.geometry.cache_layers(), p.geometry.layers.size()),
                            p.geometry.q_heads, fmt::format("{}x{}", most.kv_heads, most.head_dim),
                            size_text(p.bytes_per_token), size_text(p.bytes_per_token_beyond_window),
                            size_text(p.kv_bytes), share ? fmt::format("{:.1f} %", *share) : "-");
    }
    const Plan& first = plans.front();
    return text + fmt::format("\n{} x {} tokens, {}; layers: that own a cache / all; of MHA: of what the same model "
                              "would take as MHA\n",
                              count_text(first.settings.batch),
                              first.settings.context ? count_text(first.context) : "own context",
                              first.settings.cache.format.name);
}

} // namespace headroom
