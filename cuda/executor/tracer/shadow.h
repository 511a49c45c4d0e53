// For each byte of shared memory: whether it was written, by whom and when, and who has read it since.
#pragma once
#include "cuda/executor/tracer/clocks.h"
#include <string>

namespace headroom::cuda::tracer {

class Shadow {
public:
    explicit Shadow(std::size_t bytes) : bytes_(bytes) {}
    void clear();

    // Checks an access and remembers it. Empty: nothing wrong; else what, and `byte` where.
    std::string access(unsigned thread, std::size_t offset, std::size_t bytes, bool writes, const Clocks& clocks,
                       std::size_t& byte);
    void under_way(std::size_t offset, std::size_t bytes); // an asynchronous copy will write here
    void written(std::size_t offset, std::size_t bytes);   // by the copy engine, which no thread races with here

private:
    struct Time {
        std::uint16_t thread;
        std::uint32_t when;
    };
    struct Byte {
        bool initialised = false, has_writer = false;
        Time writer = {};
        std::vector<Time> readers;
    };
    std::vector<Byte> bytes_;
    std::size_t used_ = 0;
};

} // namespace headroom::cuda::tracer
