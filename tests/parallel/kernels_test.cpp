// The kernels' numbers: every code of the small formats, exponentials, and products of awkward sizes.
#include "reference/parallel/instruction_sets.h"
#include "reference/parallel/row_states.h"
#include "reference/tensor/dtype.h"
#include "reference/tensor/random.h"
#include "reference/tensor/stored_row.h"
#include "tests/support/catch.h"
#include <cmath>
#include <limits>

using namespace headroom;
using namespace headroom::parallel;

TEST_CASE("every stored code is read exactly")
{
    for (const std::string_view set : instruction_sets()) {
        const Kernels& k = kernels(set);
        for (const auto& [type, stored] : {std::pair{DType::f16, Stored::f16},
                                           {DType::bf16, Stored::bf16},
                                           {DType::f8e4m3, Stored::f8e4m3},
                                           {DType::i8, Stored::i8}}) {
            const Index size = byte_size(type), codes = size == 1 ? 256 : 65536;
            std::vector<std::byte> bytes(static_cast<std::size_t>(codes * size));
            for (Index n = 0; n < codes; ++n)
                for (Index i = 0; i < size; ++i)
                    bytes[static_cast<std::size_t>(n * size + i)] = static_cast<std::byte>(n >> (8 * i));
            FloatBuffer out(codes);
            const void* row = bytes.data();
            k.unpack(stored, &row, 1, codes, out.data());
            k.arrange(stored, out.data(), codes, true);
            int wrong = 0;
            for (Index n = 0; n < codes; ++n) {
                const auto got = static_cast<double>(out.data()[n]), expected = decode(type, bytes.data() + n * size);
                wrong += !(got == expected || (std::isnan(got) && std::isnan(expected)));
            }
            INFO(set << ", " << name(type));
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("softmax weights are right to a few units of the last place, and 0 where nothing is seen")
{
    for (const std::string_view set : instruction_sets()) {
        INFO(set);
        const Kernels& k = kernels(set);
        FloatBuffer scores(tile_keys), output(16);
        for (float top = 0; top < 90; top += 0.37f) {
            for (Index j = 0; j < tile_keys; ++j) scores.data()[j] = 3 - top * static_cast<float>(j) / (tile_keys - 1);
            float max = -std::numeric_limits<float>::infinity(), sum = 0;
            k.softmax(scores.data(), 1, tile_keys, &max, &sum, output.data(), 16);
            CHECK(max == 3);
            for (Index j = 0; j < tile_keys; ++j) {
                const double expected =
                    std::exp(static_cast<double>(3 - top * static_cast<float>(j) / (tile_keys - 1)) - 3);
                if (expected < 1e-37) continue;
                if (!(std::fabs(static_cast<double>(scores.data()[j]) / expected - 1) < 4e-7))
                    FAIL_CHECK("exp(" << std::log(expected) << ") is " << scores.data()[j]);
            }
        }
        const float hidden = -std::numeric_limits<float>::infinity();
        std::fill_n(scores.data(), tile_keys, hidden);
        float max = hidden, sum = 0;
        k.softmax(scores.data(), 1, tile_keys, &max, &sum, output.data(), 16);
        CHECK((max == hidden && sum == 0 && scores.data()[63] == 0));
        scores.data()[7] = std::numeric_limits<float>::quiet_NaN();
        k.softmax(scores.data(), 1, tile_keys, &max, &sum, output.data(), 16);
        CHECK(std::isnan(sum)); // a NaN that is seen shows
        std::fill_n(scores.data(), tile_keys, -300.0f);
        scores.data()[0] = 0, max = hidden, sum = 0;
        k.softmax(scores.data(), 1, tile_keys, &max, &sum, output.data(), 16);
        CHECK((sum == 1 && scores.data()[1] == 0));

        for (const Index keys : {1, 15, 16, 17, 64, 65, 127, 128}) { // what lies behind them does not matter
            std::fill_n(scores.data(), tile_keys, std::numeric_limits<float>::quiet_NaN());
            std::fill_n(scores.data(), keys, 2.0f);
            max = hidden, sum = 0;
            k.softmax(scores.data(), 1, keys, &max, &sum, output.data(), 16);
            CHECK((max == 2 && sum == static_cast<float>(keys) && scores.data()[keys - 1] == 1));
        }
    }
}

TEST_CASE("rows of a softmax that are worked on side by side do not mix")
{
    constexpr float hidden = -std::numeric_limits<float>::infinity();
    constexpr Index rows = 7, dim = 32;
    for (const std::string_view set : instruction_sets()) {
        const Kernels& k = kernels(set);
        Random random(11);
        FloatBuffer scores(rows * tile_keys), alone(rows * tile_keys), output(rows * dim), own(rows * dim);
        std::vector<float> max(rows, hidden), sum(rows, 0.0f), own_max = max, own_sum = sum;
        std::fill_n(output.data(), rows * dim, 1.0f);
        std::fill_n(own.data(), rows * dim, 1.0f);
        int wrong = 0, grown = 0;
        for (const Index keys : {128, 128, 61, 5, 128}) {
            for (Index n = 0; n < rows * tile_keys; ++n) scores.data()[n] = static_cast<float>(random.uniform(-9, 9));
            std::fill_n(scores.data() + 2 * tile_keys, tile_keys, hidden);
            scores.data()[5 * tile_keys + 3] = keys == 61 ? std::numeric_limits<float>::quiet_NaN() : hidden;
            std::copy_n(scores.data(), rows * tile_keys, alone.data());
            const std::vector<float> before = max;
            k.softmax(scores.data(), rows, keys, max.data(), sum.data(), output.data(), dim);
            for (Index r = 0; r < rows; ++r) {
                const auto n = static_cast<std::size_t>(r);
                k.softmax(alone.data() + r * tile_keys, 1, keys, &own_max[n], &own_sum[n], own.data() + r * dim, dim);
                const auto differ = [](float a, float b) {
                    return !(a == b || std::fabs(a - b) <= 1e-6f * std::fabs(b) || (std::isnan(a) && std::isnan(b)));
                };
                wrong += differ(max[n], own_max[n]) + differ(sum[n], own_sum[n]);
                for (Index j = 0; j < keys; ++j)
                    wrong += differ(scores.data()[r * tile_keys + j], alone.data()[r * tile_keys + j]);
                for (Index d = 0; d < dim; ++d) wrong += differ(output.data()[r * dim + d], own.data()[r * dim + d]);
                grown += before[n] != hidden && max[n] > before[n];
            }
        }
        INFO(set);
        CHECK(wrong == 0);
        CHECK(grown > 0);
        CHECK((sum[2] == 0 && std::isnan(sum[5]) && sum[6] > 1));
    }
}

namespace {

enum class Apart { evenly, evenly_by_fours, anyhow };

// Rows of small whole numbers, whose sums are exact, with NaN in between and behind.
struct ScatteredRows {
    std::vector<std::byte> memory;
    std::vector<const void*> row; // and of the four behind the last, the last
    StoredRows stored;

    ScatteredRows(const Tensor& numbers, DType type, Apart apart)
    {
        const Index rows = numbers.extent(0), dim = numbers.extent(1), bytes = dim * byte_size(type),
                    stride = bytes + 64;
        const std::vector<double> nan(static_cast<std::size_t>(dim), std::numeric_limits<double>::quiet_NaN());
        const Index places = apart == Apart::evenly_by_fours ? 2 * (rows + 8) : rows; // the last one ends the memory
        memory.resize(static_cast<std::size_t>(places * stride - 64));
        for (Index n = 0; n < places; ++n) encode_row(type, nan, nullptr, 0, memory.data() + n * stride);
        for (Index n = 0; n < rows; ++n) {
            // Fours come from back to front, or every row does.
            const Index fours = (rows + 3) / 4, place = apart == Apart::evenly ? n
                                                        : apart == Apart::evenly_by_fours
                                                            ? (fours - 1 - n / 4) * 5 + n % 4
                                                            : rows - 1 - n;
            std::byte* const at = memory.data() + place * stride;
            encode_row(type, numbers.values().subspan(static_cast<std::size_t>(n * dim), static_cast<std::size_t>(dim)),
                       nullptr, 0, at);
            row.push_back(at);
        }
        for (Index n = 0; n < 8; ++n) row.push_back(row[static_cast<std::size_t>(rows - 1)]);
        stored = {.first = apart == Apart::evenly ? row[0] : nullptr,
                  .row = apart == Apart::evenly ? nullptr : row.data(),
                  .stride = apart == Apart::anyhow ? 0 : stride,
                  .ahead = 4};
    }
};

Tensor whole_numbers(const Shape& shape, Random& random)
{
    Tensor numbers = random_uniform(shape, random, -4, 4);
    for (double& x : numbers.values()) x = std::round(x);
    return numbers;
}

} // namespace

TEST_CASE("keys and values are multiplied where they lie, wherever that is, and nothing beside them is")
{
    Random random(3);
    int calls = 0;
    for (const std::string_view set : instruction_sets()) {
        const Kernels& k = kernels(set);
        for (const auto& [type, stored] : {std::pair{DType::f32, Stored::f32}, {DType::bf16, Stored::bf16}})
            for (const Apart apart : {Apart::evenly, Apart::evenly_by_fours, Apart::anyhow})
                for (const Index dim : {16, 48, 64, 80, 128, 256})
                    for (const Index rows : {1, 2, 3, 4, 7, 8})
                        for (const Index count : {1, 3, 4, 6, 37}) {
                            const Tensor numbers = whole_numbers({count, dim}, random),
                                         q = whole_numbers({rows, dim}, random),
                                         weights = whole_numbers({rows, count}, random);
                            const ScatteredRows keys(numbers, type, apart);
                            FloatBuffer x(rows * dim), scores(rows * tile_keys), w(rows * tile_keys), y(rows * dim);
                            std::ranges::copy(q.values(), x.data());
                            std::fill_n(y.data(), rows * dim, 1.0f);
                            for (Index r = 0; r < rows; ++r) {
                                k.arrange(stored, x.data() + r * dim, dim, false);
                                for (Index j = 0; j < count; ++j)
                                    w.data()[r * tile_keys + j] = static_cast<float>(weights(r, j));
                            }
                            k.dot(stored, keys.stored, count, x.data(), rows, dim, scores.data());
                            k.accumulate(stored, keys.stored, count, w.data(), rows, dim, y.data());
                            for (Index r = 0; r < rows; ++r) k.arrange(stored, y.data() + r * dim, dim, true);

                            int wrong = 0;
                            for (Index r = 0; r < rows; ++r) {
                                for (Index j = 0; j < count; ++j) {
                                    double exact = 0;
                                    for (Index d = 0; d < dim; ++d) exact += q(r, d) * numbers(j, d);
                                    wrong += static_cast<double>(scores.data()[r * tile_keys + j]) != exact;
                                }
                                for (Index d = 0; d < dim; ++d) {
                                    double exact = 1;
                                    for (Index j = 0; j < count; ++j) exact += weights(r, j) * numbers(j, d);
                                    wrong += static_cast<double>(y.data()[r * dim + d]) != exact;
                                }
                            }
                            INFO(set << ", " << name(type) << ", layout " << static_cast<int>(apart) << ", dim " << dim
                                     << ", " << rows << " rows, " << count << " keys");
                            CHECK(wrong == 0);
                            ++calls;
                        }
    }
    CHECK(calls >= 1080); // the plain kernels at least
}

TEST_CASE("the soft cap is cap tanh(x / cap)")
{
    for (const std::string_view set : instruction_sets()) {
        FloatBuffer x(64);
        for (Index i = 0; i < 64; ++i) x.data()[i] = static_cast<float>(i - 32) * 1.7f;
        kernels(set).soft_cap(x.data(), 64, 5);
        for (Index i = 0; i < 64; ++i)
            CHECK(static_cast<double>(x.data()[i]) ==
                  Approx(5 * std::tanh(static_cast<double>(i - 32) * 1.7 / 5)).margin(1e-6));
    }
}

TEST_CASE("a soft cap far above the scores leaves them as they are, to the last places")
{
    for (const std::string_view set : instruction_sets())
        for (const float cap : {30.0f, 300.0f, 3e3f, 1e6f, 1e30f}) {
            FloatBuffer x(64);
            for (Index i = 0; i < 64; ++i) x.data()[i] = static_cast<float>(i - 32) * 0.7f;
            kernels(set).soft_cap(x.data(), 64, cap);
            for (Index i = 0; i < 64; ++i) {
                INFO(set << ", cap " << cap << ", score " << i);
                const double score = static_cast<double>(static_cast<float>(i - 32) * 0.7f),
                             c = static_cast<double>(cap);
                CHECK(static_cast<double>(x.data()[i]) == Approx(c * std::tanh(score / c)).epsilon(1e-6));
            }
        }
}

TEST_CASE("the matrix product and the transposition are right at every size")
{
    Random random(2);
    for (const std::string_view set : instruction_sets()) {
        const Kernels& k = kernels(set);
        for (const Index m : {1, 2, 5, 6, 7, 13})
            for (const Index n : {16, 48, 64, 80})
                for (const Index depth : {1, 3, 64}) {
                    const Tensor A = random_uniform({m, depth}, random, -1, 1),
                                 B = random_uniform({depth, n}, random, -1, 1);
                    FloatBuffer a(m * depth), b(depth * n), c(m * n);
                    std::ranges::copy(A.values(), a.data());
                    std::ranges::copy(B.values(), b.data());
                    k.product(a.data(), depth, b.data(), n, c.data(), n, m, n, depth, false, {});
                    k.product(a.data(), depth, b.data(), n, c.data(), n, m, n, depth, true, {});
                    double worst = 0;
                    for (Index i = 0; i < m; ++i)
                        for (Index j = 0; j < n; ++j) {
                            double exact = 0;
                            for (Index x = 0; x < depth; ++x) exact += 2 * A(i, x) * B(x, j);
                            worst = std::max(worst, std::fabs(exact - static_cast<double>(c.data()[i * n + j])));
                        }
                    INFO(set << " " << m << " " << n << " " << depth);
                    CHECK(worst < 1e-4);
                }
        FloatBuffer rows(7 * 32), turned(32 * 64);
        for (Index i = 0; i < 7 * 32; ++i) rows.data()[i] = static_cast<float>(i);
        const void* row[8];
        for (Index j = 0; j < 7; ++j) row[j] = rows.data() + j * 32;
        k.transpose(Stored::f32, row, 7, 32, turned.data(), 64);
        for (Index j = 0; j < 7; ++j)
            for (Index d = 0; d < 32; ++d) CHECK(turned.data()[d * 64 + j] == static_cast<float>(j * 32 + d));
    }
}
