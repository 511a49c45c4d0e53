#include "cuda/bench/first.h"

#include "cuda/bench/clock.h"
#include "cuda/bench/kernels.h"
#include <stdexcept>

namespace headroom::cuda {
namespace {

constexpr std::size_t bytes = 8192; // a box of 64 rows of 128 bytes

std::vector<unsigned char> pattern()
{
    std::vector<unsigned char> list(bytes);
    for (std::size_t i = 0; i < bytes; ++i) list[i] = static_cast<unsigned char>(i * 37 + i / 251);
    return list;
}

void expect_pattern(const Buffer<unsigned char>& got, const std::string& what)
{
    const std::vector<unsigned char> expected = pattern(), read = got.read();
    for (std::size_t i = 0; i < bytes; ++i)
        if (read[i] != expected[i])
            throw std::runtime_error(what + ": byte " + std::to_string(i) + " is " + std::to_string(read[i]) +
                                     " instead of " + std::to_string(expected[i]));
}

} // namespace

FirstSteps first_steps(Executor& executor)
{
    const std::vector<unsigned char> numbers = pattern();
    const Buffer<unsigned char> from(executor, std::span<const unsigned char>(numbers), "from");
    const Buffer<unsigned char> copied(executor, bytes, "copied"), boxed(executor, bytes, "boxed");
    copy(executor, {from.data(), copied.data(), static_cast<Index>(bytes / 16)}, 2);
    expect_pattern(copied, "a kernel that copies");

    const Where here = where(executor);
    if (here.executor == "device" && here.major < 9)
        return {"passed", "skipped: the copy engine needs sm_90, this GPU is sm_" + std::to_string(here.major) +
                              std::to_string(here.minor)};
    const TensorMap map = executor.tensor_map({.data = from.data(),
                                               .element_bytes = 2,
                                               .extent = {64, 1, 64, 1},
                                               .byte_stride = {128, 128, 8192},
                                               .box = {64, 1, 64, 1}});
    copy_box(executor, {map, boxed.data()});
    expect_pattern(boxed, "a copy by tensor map");
    return {"passed", "passed"};
}

} // namespace headroom::cuda
