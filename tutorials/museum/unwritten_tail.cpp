// The sum runs over the whole buffer and trusts weight 0 to silence what was never written: 0 * NaN is NaN.
#include "tutorials/museum/exhibit.h"

#include <limits>

namespace headroom::museum {
namespace {

// Values of the first `length` slots of a buffer, weighted.
double output_of(const std::vector<double>& weights, const std::vector<double>& buffer, int length, bool fault)
{
    const std::size_t end = fault ? buffer.size() : static_cast<std::size_t>(length);
    double sum = 0;
    for (std::size_t j = 0; j < end; ++j) sum += weights[j] * buffer[j];
    return sum;
}

std::vector<Row> run(bool fault)
{
    constexpr double never = std::numeric_limits<double>::quiet_NaN(),
                     infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> weights{0.5, 0.5, 0, 0};
    return {{0, output_of(weights, {1, 3, 0, 0}, 2, fault), weights}, // fresh pages of the system are zeros
            {1, output_of(weights, {1, 3, never, never}, 2, fault), weights},
            {2, output_of(weights, {1, 3, 2, infinity}, 2, fault), weights}};
}

} // namespace

extern const Exhibit unwritten_tail{
    "unwritten_tail",
    {"Slots that were never written are multiplied by zero", "从未写过的槽位只是乘以零"},
    {"buffer {}", "缓冲区 {}"},
    {"slot", "槽位"},
    {"output", "输出"},
    run,
    "tests/kv_cache/reported_faults_test.cpp",
    "fault 5: the never-written tail of the buffer may hold NaN",
    "https://github.com/pytorch/pytorch/issues/101967"};

} // namespace headroom::museum
