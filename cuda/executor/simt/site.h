// Where in the kernel's source, and what it was doing there.
#pragma once
#include <cstdint>
#include <string>

namespace headroom::cuda::simt {

struct Site { // default arguments make every collective carry its place
    const char* file = "";
    int line = 0;
    static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE())
    {
        return {file, line};
    }
    friend bool operator==(const Site& a, const Site& b) { return a.line == b.line && a.file == b.file; }
};
std::string to_text(const Site& site); // "02_online_softmax.cu:42"

enum class Op : std::uint8_t {
    none,
    syncthreads,
    barrier_sync,
    barrier_arrive,
    syncwarp,
    shuffle,
    vote,
    mma,
    ldmatrix,
    movmatrix,
    wgmma,
    wgmma_wait,
    mbarrier_wait
};
const char* name(Op op);

} // namespace headroom::cuda::simt
