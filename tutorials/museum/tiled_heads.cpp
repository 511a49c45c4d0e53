// Query heads read the KV heads in turn, 0 1 0 1, where neighbours should share, 0 0 1 1.
#include "tutorials/museum/exhibit.h"

namespace headroom::museum {
namespace {

// The KV head that query head h reads.
int kv_head_of(int h, int q_heads, int kv_heads, bool fault)
{
    if (fault) return h % kv_heads; // what tiling the KV heads comes to
    return h / (q_heads / kv_heads);
}

std::vector<Row> run(bool fault)
{
    const std::vector<double> v{10, 20}; // one key: its value in each KV head
    std::vector<Row> rows;
    for (int h = 0; h < 4; ++h) {
        std::vector<double> read(2);
        read[static_cast<std::size_t>(kv_head_of(h, 4, 2, fault))] = 1;
        rows.push_back({h, weighted(read, v), read});
    }
    return rows;
}

} // namespace

extern const Exhibit tiled_heads{"tiled_heads",
                                 {"KV heads are tiled, not repeated", "KV 头被平铺，而不是逐个重复"},
                                 {"query head {}", "查询头 {}"},
                                 {"KV head", "KV 头"},
                                 {"output", "输出"},
                                 run,
                                 "tests/attention/reported_faults_test.cpp",
                                 "report 1: KV heads are repeated 0 0 1 1, not tiled 0 1 0 1",
                                 "https://github.com/onnx/onnx/pull/7274 https://github.com/ekzhang/jax-js/pull/180 "
                                 "https://github.com/apple/axlearn/pull/842"};

} // namespace headroom::museum
