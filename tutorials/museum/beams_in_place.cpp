// Beams are reordered inside the same buffer, so that a row is overwritten before it has been read.
#include "tutorials/museum/exhibit.h"

namespace headroom::museum {
namespace {

// Row b of the cache becomes what row source[b] was.
void reorder(std::vector<double>& rows, const std::vector<std::size_t>& source, bool fault)
{
    const std::vector<double> copy = rows;
    const std::vector<double>& old = fault ? rows : copy;
    for (std::size_t b = 0; b < rows.size(); ++b) rows[b] = old[source[b]];
}

std::vector<Row> run(bool fault)
{
    std::vector<double> cache{10, 20, 30};
    reorder(cache, {1, 0, 0}, fault); // beam 0 goes on from beam 1, beams 1 and 2 from beam 0
    std::vector<Row> rows;
    for (int b = 0; b < 3; ++b) rows.push_back({b, cache[static_cast<std::size_t>(b)], {}});
    return rows;
}

} // namespace

extern const Exhibit beams_in_place{
    "beams_in_place",
    {"Beams are reordered in place", "束搜索就地重排"},
    {"beam {}", "束 {}"},
    {"", ""},
    {"its key", "它的键"},
    run,
    "tests/kv_cache/reported_faults_test.cpp",
    "fault 31: beams are reordered from the old rows, lengths move along, and nothing is skipped",
    "https://github.com/huggingface/transformers/issues/46612 https://github.com/huggingface/transformers/pull/46819 "
    "https://github.com/huggingface/transformers/pull/48700"};

} // namespace headroom::museum
