// What `headroom bench` prints: its rows as a table or as JSON, and a page for each of its longer stories.
#pragma once
#include "experiments/bench/article.h"
#include "experiments/bench/growth.h"
#include "experiments/bench/long_run.h"
#include "experiments/bench/tiny.h"
#include <filesystem>

namespace headroom {

void print_bench_json(const std::vector<BenchRow>& rows, const Machine& machine); // schema headroom.bench/1
void print_bench_table(const std::vector<BenchRow>& rows, const Machine& machine);

void print_article(const std::vector<ArticleRow>& rows, const LayerShape& shape);
void print_long(const std::vector<LongPoint>& points, const LongSettings& settings);
void print_growth(const Growth& growth, const BenchCase& shape);
void print_sharing(const std::vector<Sharing>& rows, const BenchCase& shape);
void print_tiny(const std::vector<TinyRow>& rows);
void plot_long(const std::vector<LongPoint>& points, const std::vector<Index>& lengths,
               const std::filesystem::path& svg_file);

} // namespace headroom
