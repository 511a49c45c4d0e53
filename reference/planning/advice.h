// Tuning advice: how many KV heads and which cache format, from what published models of the same size chose.
#pragma once
#include "reference/planning/plan.h"
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct PublishedModel {
    std::string_view name;
    Index million_parameters, q_heads, kv_heads, head_dim; // kv_heads 0: latent
    std::string_view stored_as, source;
};
std::span<const PublishedModel> published_models();

struct HeadRange {
    Index least, most;
    bool contains(Index n) const { return least <= n && n <= most; }
};

struct SizeClass { // a row of the article's tuning table, and what we advise instead or besides
    std::string_view name;
    Index from_million, below_million;
    HeadRange article_q, article_kv;
    std::string_view article_format; // "": the article names none
    std::string_view advice, reason;
};
std::span<const SizeClass> size_classes();
const SizeClass& size_class(Index parameters);

struct ClassSummary { // the published models of one class against the article's row
    std::vector<PublishedModel> models;
    HeadRange q, kv; // of those that share heads
    Index within_article = 0;
    Index usual_kv = 0, keep_usual = 0; // the number of KV heads that most of them keep, and how many do
    Index in_bf16 = 0;
};
ClassSummary summarise(const SizeClass& size);

struct Advice {
    const SizeClass* size;
    std::vector<std::string> sentences;
};
std::optional<Advice> advise(const Plan& plan); // empty: parameters unknown, or no heads
std::string article_row(const SizeClass& size); // "16-32 query heads on 4-8 KV heads, bf16"

} // namespace headroom
