#include "experiments/bench/bench.h"

namespace headroom {
namespace {

// A decode of one token per sequence, with the KV heads as named, with one for each query head, and with one for all.
void add_decode(std::vector<BenchCase>& list, const std::string& name, Index B, Index H, Index Hkv, Index D, Index S)
{
    const std::vector<DType> types{DType::f32, DType::bf16};
    list.push_back({name, B, H, Hkv, D, 1, S, types});
    list.push_back({name + "-mha", B, H, H, D, 1, S, types});
    list.push_back({name + "-mqa", B, H, 1, D, 1, S, types});
}

} // namespace

const std::vector<BenchCase>& bench_cases()
{
    static const std::vector<BenchCase> list = [] {
        std::vector<BenchCase> all;
        add_decode(all, "D1", 8, 16, 4, 64, 1024);
        add_decode(all, "D2-4096", 1, 32, 8, 128, 4096);
        add_decode(all, "D2-32768", 1, 32, 8, 128, 32768);
        all.push_back({"P1", 1, 32, 8, 128, 1024, 1024, {DType::f32}});
        all.push_back({"P2", 8, 16, 4, 64, 1024, 1024, {DType::f32}});
        all.push_back({"trial", 1, 8, 2, 64, 1, 4096, {DType::f32}, true}); // a second's trial of the command
        return all;
    }();
    return list;
}

Index needed_flops(const BenchCase& c)
{
    const Index pairs = c.L * (c.L + 1) / 2 + c.L * (c.S - c.L); // of a query and a key that it sees
    return 4 * c.B * c.H * c.D * pairs;
}

} // namespace headroom
