#include "reference/planning/advice.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {
namespace {

bool within(const SizeClass& size, Index q_heads, Index kv_heads)
{
    return size.article_q.contains(q_heads) && size.article_kv.contains(kv_heads);
}

std::string summary_sentence(const SizeClass& size, const ClassSummary& summary)
{
    return fmt::format("{} of {} published models of this size are inside the article's row ({}); they use {}-{} query "
                       "heads and keep {}-{} KV heads",
                       summary.within_article, summary.models.size(), article_row(size), summary.q.least,
                       summary.q.most, summary.kv.least, summary.kv.most);
}

} // namespace

std::string article_row(const SizeClass& size)
{
    return fmt::format("{}-{} query heads on {}-{} KV heads{}{}", size.article_q.least, size.article_q.most,
                       size.article_kv.least, size.article_kv.most, size.article_format.empty() ? "" : ", ",
                       size.article_format);
}

std::span<const PublishedModel> published_models()
{
#define PUBLISHED(...) PublishedModel{__VA_ARGS__},
    static constexpr std::array list{
#include "reference/planning/published_models.inc"
    };
#undef PUBLISHED
    return list;
}

std::span<const SizeClass> size_classes()
{
#define SIZE_CLASS(...) SizeClass{__VA_ARGS__},
    static constexpr std::array list{
#include "reference/planning/size_classes.inc"
    };
#undef SIZE_CLASS
    return list;
}

const SizeClass& size_class(Index parameters)
{
    for (const SizeClass& size : size_classes())
        if (parameters < size.below_million * 1'000'000) return size;
    return size_classes().back();
}

ClassSummary summarise(const SizeClass& size)
{
    ClassSummary summary{.models = {}, .q = {1 << 20, 0}, .kv = {1 << 20, 0}};
    for (const PublishedModel& model : published_models()) {
        if (model.million_parameters < size.from_million || model.million_parameters >= size.below_million) continue;
        summary.models.push_back(model);
        summary.within_article += within(size, model.q_heads, model.kv_heads) ? 1 : 0;
        const auto widen = [](HeadRange& range, Index n) {
            range = {std::min(range.least, n), std::max(range.most, n)};
        };
        widen(summary.q, model.q_heads);
        if (model.kv_heads > 0) widen(summary.kv, model.kv_heads);
        summary.in_bf16 += model.stored_as == "bf16" ? 1 : 0;
    }
    for (const PublishedModel& model : summary.models) {
        const Index same = std::count_if(summary.models.begin(), summary.models.end(),
                                         [&](const PublishedModel& other) { return other.kv_heads == model.kv_heads; });
        if (same > summary.keep_usual) {
            summary.usual_kv = model.kv_heads;
            summary.keep_usual = same;
        }
    }
    return summary;
}

std::optional<Advice> advise(const Plan& plan)
{
    if (!plan.weights.parameters || plan.geometry.attention_layers() == 0) return std::nullopt;
    const SizeClass& size = size_class(*plan.weights.parameters);
    const auto owns = [](const LayerGeometry& layer) { return layer.owns_cache(); };
    const LayerGeometry& layer = *std::find_if(plan.geometry.layers.begin(), plan.geometry.layers.end(), owns);
    const std::string here =
        layer.latent ? fmt::format("this model keeps one latent vector, which the article's table does not know")
                     : fmt::format("this model, {} on {}, is {} it", layer.q_heads, layer.kv_heads,
                                   within(size, layer.q_heads, layer.kv_heads) ? "inside" : "outside");
    Advice advice{&size, {}};
    for (const std::string& sentence :
         {fmt::format("size class {}: {}", size.name, summary_sentence(size, summarise(size))), here,
          fmt::format("{}: {}", size.advice, size.reason)})
        advice.sentences.push_back(sentence);
    return advice;
}

} // namespace headroom
