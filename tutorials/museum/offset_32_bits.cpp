// Page times stride is computed in 32 bits and wraps.
#include "tutorials/museum/exhibit.h"

#include <cstdint>

namespace headroom::museum {
namespace {

// Where a page begins in a cache, counted in stored numbers.
std::int64_t offset_of(int page, int stride, bool fault)
{
    if (fault) return static_cast<std::int32_t>(static_cast<std::uint32_t>(page) * static_cast<std::uint32_t>(stride));
    return std::int64_t{page} * stride;
}

std::vector<Row> run(bool fault)
{
    std::vector<Row> rows;
    for (const int page : {1, 7766, 7767, 7768, 15536}) // pages of 480 tokens with 576 numbers each
        rows.push_back({page, static_cast<double>(offset_of(page, 480 * 576, fault)), {}});
    return rows;
}

} // namespace

extern const Exhibit offset_32_bits{
    "offset_32_bits",
    {"Offsets in a large cache wrap at 32 bits", "大缓存里的偏移在 32 位处回绕"},
    {"page {}", "页 {}"},
    {"", ""},
    {"offset", "偏移"},
    run,
    "tests/kv_cache/reported_faults_test.cpp",
    "fault 22: offsets do not wrap at 32 bits",
    "https://github.com/vllm-project/vllm/pull/47671 https://github.com/vllm-project/vllm/issues/50427 "
    "https://github.com/fla-org/flash-linear-attention/issues/1080"};

} // namespace headroom::museum
