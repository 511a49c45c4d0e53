// mbarrier, the copy engine's boxes and swizzle, wgmma's layouts: on the host in every schedule, and on a GPU.
#include "reference/tensor/dtype.h"
#include "tests/cuda/primitives/hopper.h"
#include "tests/cuda/support/executors.h"
#include "tests/support/catch.h"

#include <random>

using namespace headroom;
using namespace headroom::cuda;

TEST_CASE("a producer feeds consumers through a ring of mbarriers, and nothing is overwritten too early")
{
    for (const NamedExecutor& named : hopper_executors()) {
        INFO(named.name);
        const auto executor = named.make();
        const int tiles = 7;
        std::vector<float> values(128 * tiles);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i * i % 1009);
        Buffer<float> from(*executor, std::span<const float>(values), "from");
        Buffer<float> sums(*executor, 3 * 128, "sums");
        launch(*executor, ring_kernel, {.block = {128}, .dynamic_shared = 1024}, {from.data(), sums.data(), tiles});
        const std::vector<float> got = sums.read();
        for (std::size_t i = 0; i < 3 * 128; ++i) {
            float sum = 0;
            for (std::size_t t = 0; t < std::size_t(tiles); ++t) sum += values[128 * t + i % 128];
            REQUIRE(got[i] == sum);
        }
    }
}

TEST_CASE("a box lands swizzled, and what lies outside the array is zero")
{
    // [2][3][5][40] floats; boxes of 32 columns, 4 rows, 2 planes
    const std::array<int, 4> extent = {40, 5, 3, 2};
    std::vector<float> values(40 * 5 * 3 * 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i + 1);
    const auto at = [&](int x, int y, int z, int w) {
        const bool inside = x >= 0 && x < 40 && y >= 0 && y < 5 && z >= 0 && z < 3 && w >= 0 && w < 2;
        return inside ? values[std::size_t(((w * 3 + z) * 5 + y) * 40 + x)] : 0.0f;
    };
    for (const NamedExecutor& named : hopper_executors())
        for (const std::array<int, 4> corner : {std::array{0, 0, 0, 0}, {8, 2, 2, 1}, {16, -1, 1, 0}}) {
            INFO(named.name << ", corner " << corner[0] << " " << corner[1] << " " << corner[2]);
            const auto executor = named.make();
            Buffer<float> from(*executor, std::span<const float>(values), "from");
            Buffer<float> to(*executor, 8 * 32, "to");
            BoxParams params{.map = executor->tensor_map({.data = from.data(),
                                                          .element_bytes = 4,
                                                          .extent = {extent[0], extent[1], extent[2], extent[3]},
                                                          .byte_stride = {160, 800, 2400},
                                                          .box = {32, 4, 2, 1}}),
                             .out = to.data(),
                             .corner = {corner[0], corner[1], corner[2], corner[3]},
                             .rows = 8};
            launch(*executor, box_kernel, {.block = {32}, .dynamic_shared = 1024}, params);
            const std::vector<float> got = to.read();
            for (int row = 0; row < 8; ++row)
                for (int x = 0; x < 32; ++x) {
                    const int chunk = x / 4 ^ row % 8; // of 16 bytes
                    REQUIRE(got[std::size_t(32 * row + 4 * chunk + x % 4)] ==
                            at(corner[0] + x, corner[1] + row % 4, corner[2] + row / 4, corner[3]));
                }
        }
}

TEST_CASE("wgmma multiplies 64x16 by 16x64 in the documented layout, from shared memory and from registers")
{
    struct Case {
        Kernel<ProductParams> kernel;
        bool half, registers;
    };
    for (const Case& c : {Case{product_ss_f16, true, false}, Case{product_ss_bf16, false, false},
                          Case{product_rs_f16, true, true}, Case{product_rs_bf16, false, true}})
        for (const NamedExecutor& named : hopper_executors())
            for (const int accumulate : {0, 1}) {
                INFO(named.name << ", " << c.kernel.name << ", accumulate " << accumulate);
                const auto bits = [&](double x) { return c.half ? encode_f16(x) : encode_bf16(x); };
                std::mt19937 random(5);
                double A[64][64], B[64][64]; // rows of 64 numbers, as they lie in memory
                std::vector<std::uint16_t> a(64 * 64), b(64 * 64);
                for (std::size_t i = 0; i < 64 * 64; ++i) {
                    A[i / 64][i % 64] = double(random() % 9) - 4;
                    B[i / 64][i % 64] = double(random() % 9) - 4;
                    a[i] = bits(A[i / 64][i % 64]);
                    b[i] = bits(B[i / 64][i % 64]);
                }
                // From shared memory: columns 16-31 of the rows of both. From registers: A's columns 0-15 and B's rows 0-15.
                const auto product = [&](std::size_t m, std::size_t n) {
                    double sum = 0;
                    for (std::size_t k = 0; k < 16; ++k)
                        sum += c.registers ? A[m][k] * B[k][n] : A[m][16 + k] * B[n][16 + k];
                    return sum;
                };
                std::vector<std::uint32_t> fragments(128 * 4);
                for (std::size_t thread = 0; thread < 128; ++thread)
                    for (std::size_t i = 0; i < 4; ++i) {
                        const std::size_t row = thread / 32 * 16 + thread % 32 / 4 + i % 2 * 8,
                                          column = thread % 4 * 2 + i / 2 * 8;
                        fragments[4 * thread + i] =
                            std::uint32_t{bits(A[row][column])} | std::uint32_t{bits(A[row][column + 1])} << 16;
                    }
                const auto executor = named.make();
                Buffer<std::uint16_t> in_a(*executor, std::span<const std::uint16_t>(a), "a"),
                    in_b(*executor, std::span<const std::uint16_t>(b), "b");
                Buffer<std::uint32_t> registers(*executor, std::span<const std::uint32_t>(fragments), "registers");
                Buffer<float> out(*executor, 128 * 32, "d");
                const auto map = [&](const Buffer<std::uint16_t>& m) {
                    return executor->tensor_map({.data = m.data(),
                                                 .element_bytes = 2,
                                                 .extent = {64, 64, 1, 1},
                                                 .byte_stride = {128, 8192, 8192},
                                                 .box = {64, 64, 1, 1}});
                };
                const ProductParams params{map(in_a), map(in_b), registers.data(), out.data(), accumulate};
                launch(*executor, c.kernel, {.block = {128}, .dynamic_shared = 2 * 64 * 128}, params);
                const std::vector<float> d = out.read();
                for (std::size_t thread = 0; thread < 128; ++thread)
                    for (std::size_t i = 0; i < 32; ++i) {
                        const std::size_t m = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8,
                                          n = i / 4 * 8 + thread % 4 * 2 + i % 2;
                        REQUIRE(d[32 * thread + i] == float(product(m, n) + (accumulate ? double(thread + i) : 0)));
                    }
            }
}
