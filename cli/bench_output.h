// What `headroom bench` prints besides its plain table: the article's table, the long run, and the long run's plot.
#pragma once
#include "experiments/bench/article.h"
#include "experiments/bench/long_run.h"
#include <filesystem>

namespace headroom {

void print_article(const std::vector<ArticleRow>& rows, const LayerShape& shape);
void print_long(const std::vector<LongPoint>& points, const std::vector<Index>& lengths);
void plot_long(const std::vector<LongPoint>& points, const std::vector<Index>& lengths,
               const std::filesystem::path& svg_file);

} // namespace headroom
