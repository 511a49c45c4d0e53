#include "reference/verification/comparison.h"

#include "reference/verification/bounds.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace headroom {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Equal infinities agree. NaN is right only where the right answer is NaN, for a NaN that is seen must show; anywhere else
// it is infinitely wrong, so that `error > bound` cannot let it pass.
double error_of(double got, double expected)
{
    if (std::isnan(expected)) return std::isnan(got) ? 0 : infinite;
    if (std::isinf(expected) && got == expected) return 0;
    const double error = std::fabs(got - expected);
    return std::isfinite(error) ? error : infinite;
}

std::string number(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", x);
    return text;
}

std::vector<Index> unravel(std::size_t flat, const Shape& shape)
{
    std::vector<Index> at(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        at[axis] = static_cast<Index>(flat) % shape[axis];
        flat /= static_cast<std::size_t>(shape[axis]);
    }
    return at;
}

struct Errors {
    double worst = 0, mean = 0, relative_rms = 0, largest_expected = 0;
    std::size_t worst_at = 0;
};

// Of plain arithmetic only where it is a number: what overflows there excuses nothing, and does not judge other rows.
enum class Of : std::uint8_t { answer, yardstick };
Errors measure(const Tensor& got, const Tensor& expected, Of what)
{
    Errors e;
    double sum = 0, squares = 0, expected_squares = 0;
    const std::size_t n = expected.values().size();
    for (std::size_t i = 0; i < n; ++i) {
        const double error = error_of(got.values()[i], expected.values()[i]);
        if (what == Of::yardstick && std::isinf(error)) continue;
        if (error > e.worst) e.worst = error, e.worst_at = i;
        sum += error;
        squares += error * error;
        if (!std::isfinite(expected.values()[i])) continue;
        e.largest_expected = std::max(e.largest_expected, std::fabs(expected.values()[i]));
        expected_squares += expected.values()[i] * expected.values()[i];
    }
    if (n) e.mean = sum / static_cast<double>(n);
    e.relative_rms = squares > 0 ? std::sqrt(squares / expected_squares) : 0;
    return e;
}

Bound bound_for(const Stage& stage, const Errors& plain, double largest_expected, DType type)
{
    const bool output = stage.name == "output", eight_bit = byte_size(type) == 1;
    const double size = output || stage.name == "weights" ? 1 : std::max(1.0, largest_expected);
    Bound bound;
    bound.relative_rms = output ? bounds::relative_rms_cap(type) : infinite;
    if (type == DType::f64) {
        bound.largest = bound.mean = bounds::double_floor * std::max(1.0, largest_expected);
        bound.reason = "double arithmetic in another order";
        return bound;
    }
    const double times = eight_bit ? bounds::times_plain_8_bit : bounds::times_plain;
    bound.largest = times * plain.worst + bounds::floor * size;
    bound.mean = (eight_bit ? bounds::mean_times_plain_8_bit : bounds::mean_times_plain) * plain.mean +
                 bounds::mean_floor * size;
    bound.reason = (eight_bit ? "four times" : "twice") + std::string(" the error of plain ") +
                   std::string(eight_bit ? "f16" : name(type)) + " arithmetic, " + number(plain.worst) + ", + " +
                   number(bounds::floor * size);
    return bound;
}

std::string complaint_about(const Errors& e, const Bound& bound)
{
    if (!(e.worst <= bound.largest)) return "error " + number(e.worst) + " exceeds " + number(bound.largest);
    if (!(e.mean <= bound.mean)) return "mean error " + number(e.mean) + " exceeds " + number(bound.mean);
    const bool large = e.worst > bounds::floor; // else the expected numbers are tiny, and so is the difference
    if (large && !(e.relative_rms <= bound.relative_rms))
        return "relative RMS error " + number(e.relative_rms) + " exceeds " + number(bound.relative_rms);
    return {};
}

Comparison compare_stage(const Stage& stage, const Tensor& got, const Tensor& expected, const Tensor& plain, DType type)
{
    Comparison c{.stage = std::string(stage.name)};
    if (got.shape() != expected.shape()) {
        c.worst_error = infinite;
        c.complaint = "shape " + to_text(got.shape()) + " instead of " + to_text(expected.shape());
        return c;
    }
    const Errors errors = measure(got, expected, Of::answer);
    c.worst_error = errors.worst;
    c.mean_error = errors.mean;
    c.relative_rms = errors.relative_rms;
    if (!expected.values().empty()) {
        c.worst_at = unravel(errors.worst_at, expected.shape());
        c.got = got.values()[errors.worst_at];
        c.expected = expected.values()[errors.worst_at];
    }
    c.bound = bound_for(stage, measure(plain, expected, Of::yardstick), errors.largest_expected, type);
    c.complaint = complaint_about(errors, c.bound);
    return c;
}

} // namespace

std::vector<Comparison> compare(const AttentionStages& got, const AttentionStages& expected,
                                const AttentionStages& plain, DType kv_type)
{
    std::vector<Comparison> list;
    for (const Stage& stage : stages()) {
        const Tensor& theirs = got.*stage.tensor;
        if (theirs.empty() && stage.name != "output") continue;
        list.push_back(compare_stage(stage, theirs, expected.*stage.tensor, plain.*stage.tensor, kv_type));
    }
    return list;
}

Tensor difference(const Tensor& got, const Tensor& expected)
{
    Tensor error(expected.shape());
    for (std::size_t i = 0; i < error.values().size(); ++i)
        error.values()[i] = error_of(got.values()[i], expected.values()[i]);
    return error;
}

} // namespace headroom
