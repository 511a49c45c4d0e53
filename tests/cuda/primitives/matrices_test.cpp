// The exact lane layouts of ldmatrix, movmatrix and mma.
#include "reference/tensor/dtype.h"
#include "tests/cuda/primitives/run_lanes.h"

#include <bit>
#include <cmath>

using namespace headroom;
using namespace headroom::cuda;

namespace {

// Element (row, column) of matrix m in shared memory, where lane 8m + r wrote row r of matrix m from its first four words.
std::uint32_t element(const Words& in, std::size_t m, std::size_t row, std::size_t column)
{
    return in[8 * (8 * m + row) + column / 2] >> 16 * (column % 2) & 0xffff;
}

Words expected_matrices(const Words& in, std::size_t matrices, bool transposed)
{
    Words expected(256);
    for (std::size_t lane = 0; lane < 32; ++lane)
        for (std::size_t m = 0; m < matrices; ++m) {
            const std::size_t g = lane / 4, t = lane % 4;
            expected[8 * lane + m] = transposed ? element(in, m, 2 * t, g) | element(in, m, 2 * t + 1, g) << 16
                                                : element(in, m, g, 2 * t) | element(in, m, g, 2 * t + 1) << 16;
        }
    return expected;
}

} // namespace

TEST_CASE("ldmatrix: lane 4g + t holds columns 2t and 2t+1 of row g, transposed rows 2t and 2t+1 of column g")
{
    const Words in = random_words(32, 21);
    expect_words(ldmatrix_lanes, in, expected_matrices(in, 4, false), 4);
    expect_words(ldmatrix_trans_lanes, in, expected_matrices(in, 4, true), 4);
    expect_words(ldmatrix_x2_lanes, in, expected_matrices(in, 2, false), 2);
    expect_words(ldmatrix_x2_trans_lanes, in, expected_matrices(in, 2, true), 2);
}

TEST_CASE("movmatrix turns a fragment into that of the transpose")
{
    const Words in = random_words(32, 22);
    const auto at = [&](std::size_t row, std::size_t column) {
        return in[8 * (4 * row + column / 2)] >> 16 * (column % 2) & 0xffff;
    };
    Words expected(256);
    for (std::size_t lane = 0; lane < 32; ++lane)
        expected[8 * lane] = at(2 * (lane % 4), lane / 4) | at(2 * (lane % 4) + 1, lane / 4) << 16;
    expect_words(movmatrix_lanes, in, expected, 1);
}

TEST_CASE("mma_16816 multiplies 16x16 by 16x8 in the documented layout")
{
    for (const auto& [kernel, type] : {std::pair{mma_f16_lanes, DType::f16}, {mma_bf16_lanes, DType::bf16}}) {
        // Matrices of small integers, so that every sum is exact in any order.
        double A[16][16], B[16][8];
        std::mt19937 random(23);
        for (auto& row : A)
            for (double& x : row) x = double(random() % 17) - 8;
        for (auto& row : B)
            for (double& x : row) x = double(random() % 17) - 8;
        const auto two = [type = type](double low, double high) {
            const auto bits = [type](double x) {
                return std::uint32_t{type == DType::f16 ? encode_f16(x) : encode_bf16(x)};
            };
            return bits(low) | bits(high) << 16;
        };
        Words in(256), expected(256);
        for (std::size_t lane = 0; lane < 32; ++lane) {
            const std::size_t g = lane / 4, t = lane % 4;
            std::uint32_t* w = &in[8 * lane];
            w[0] = two(A[g][2 * t], A[g][2 * t + 1]);
            w[1] = two(A[g + 8][2 * t], A[g + 8][2 * t + 1]);
            w[2] = two(A[g][2 * t + 8], A[g][2 * t + 9]);
            w[3] = two(A[g + 8][2 * t + 8], A[g + 8][2 * t + 9]);
            w[4] = two(B[2 * t][g], B[2 * t + 1][g]);
            w[5] = two(B[2 * t + 8][g], B[2 * t + 9][g]);
            for (std::size_t i = 0; i < 4; ++i) {
                double sum = double(lane + i);
                for (std::size_t k = 0; k < 16; ++k) sum += A[g + 8 * (i / 2)][k] * B[k][2 * t + i % 2];
                expected[8 * lane + i] = std::bit_cast<std::uint32_t>(float(sum));
            }
        }
        expect_words(kernel, in, expected, 4);
    }
}
