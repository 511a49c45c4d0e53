// The tuning guide: for each size class the article's row, what published models chose, and our advice.
#include "cli/plan_output.h"
#include "cli/text.h"

#include "reference/planning/advice.h"
#include <fmt/format.h>

namespace headroom {
namespace {

std::string choice(const PublishedModel& m)
{
    return m.kv_heads == 0 ? fmt::format("{} {} -> latent", m.name, m.q_heads)
                           : fmt::format("{} {} -> {}", m.name, m.q_heads, m.kv_heads);
}

} // namespace

std::string advice_table()
{
    std::string text = "How many KV heads? The article's tuning table against published models\n";
    for (const SizeClass& size : size_classes()) {
        const ClassSummary summary = summarise(size);
        const std::size_t count = summary.models.size();
        text +=
            fmt::format("\n{}\n  article    {}\n  published  query heads -> KV heads\n", size.name, article_row(size));
        std::string line;
        for (const PublishedModel& model : summary.models) {
            const std::string next = choice(model);
            if (line.size() + next.size() > 82) {
                text += fmt::format("             {}\n", line);
                line.clear();
            }
            if (!line.empty()) line += " | ";
            line += next;
        }
        text += fmt::format("             {}\n", line);
        text += fmt::format("  agree      {} KV heads in {} of {}; weights in bf16 in {} of {}\n", summary.usual_kv,
                            summary.keep_usual, count, summary.in_bf16, count);
        text += fmt::format("  differ     {} of {} are outside the article's row; {}-{} query heads, {}-{} KV heads\n",
                            static_cast<Index>(count) - summary.within_article, count, summary.q.least, summary.q.most,
                            summary.kv.least, summary.kv.most);
        text += wrapped(std::string(size.advice), "  advice     ", std::string(13, ' '));
        text += wrapped(std::string(size.reason), "  because    ", std::string(13, ' '));
    }
    return text;
}

} // namespace headroom
