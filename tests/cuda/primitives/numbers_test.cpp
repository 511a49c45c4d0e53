// Primitives that compute inside one lane.
#include "reference/tensor/dtype.h"
#include "tests/cuda/primitives/run_lanes.h"

#include <bit>
#include <cmath>

using namespace headroom;
using namespace headroom::cuda;

namespace {

std::uint32_t bits(float f) { return std::bit_cast<std::uint32_t>(f); }

// The reference's own conversions: another implementation than the primitives'.
std::uint32_t stored(DType type, float f) { return type == DType::f16 ? encode_f16(f) : encode_bf16(f); }
float number(DType type, std::uint32_t b)
{
    return static_cast<float>(decode(type, reinterpret_cast<const std::byte*>(&b))); // little-endian
}
bool is_nan(DType type, std::uint32_t b) { return std::isnan(number(type, b)); }

} // namespace

TEST_CASE("prmt picks bytes, and repeats signs")
{
    const Words in = random_words(32, 1);
    Words expected(in.size());
    for (std::size_t l = 0; l < 32; ++l) {
        const std::uint32_t *w = &in[8 * l], x = w[0], y = w[1];
        const auto byte = [&](unsigned n) { return (n < 4 ? x >> 8 * n : y >> 8 * (n - 4)) & 0xff; };
        expected[8 * l] = (x & 0xffff) | y << 16; // 0x5410
        expected[8 * l + 1] = x >> 16 | (y & 0xffff0000);
        for (unsigned i = 0; i < 4; ++i) expected[8 * l + 2] |= byte(w[2] >> 4 * i & 7) << 8 * i;
        for (unsigned i = 0; i < 4; ++i) expected[8 * l + 3] |= (byte(i) & 0x80 ? 0xffu : 0u) << 8 * i;
    }
    expect_words(prmt_lanes, in, expected, 4);
}

TEST_CASE("pack2 puts the lower index in the lower half, rounded to nearest even")
{
    for (const auto& [kernel, type] : {std::pair{pack_f16_lanes, DType::f16}, {pack_bf16_lanes, DType::bf16}}) {
        Words in(256), expected(256);
        std::mt19937 random(3);
        for (std::uint32_t& w : in) w = bits((float(random() % 200001) - 100000) * (random() % 2 ? 1.0f : 1e-9f));
        in[0] = bits(1e30f);
        in[1] = bits(-INFINITY);
        in[2] = bits(1.0f + 0x1p-11f); // ties
        in[3] = bits(1.0f + 3 * 0x1p-11f);
        in[4] = bits(0x1p-25f);
        in[5] = bits(-0.0f);
        for (std::size_t l = 0; l < 32; ++l)
            for (std::size_t i = 0; i < 4; ++i)
                expected[8 * l + i] = stored(type, std::bit_cast<float>(in[8 * l + 2 * i])) |
                                      stored(type, std::bit_cast<float>(in[8 * l + 2 * i + 1])) << 16;
        expect_words(kernel, in, expected, 4);
    }
}

TEST_CASE("unpack2 is exact for every number")
{
    for (const auto& [kernel, type] : {std::pair{unpack_f16_lanes, DType::f16}, {unpack_bf16_lanes, DType::bf16}})
        for (std::uint32_t round = 0; round < 65536 / 256; ++round) {
            if (round % 17 && round != 255 && round != 3) continue; // a sample of the ranges, with subnormals
            Words in(256), expected(256);
            for (std::size_t l = 0; l < 32; ++l)
                for (std::size_t i = 0; i < 4; ++i) {
                    const std::uint32_t low = round * 256 + std::uint32_t(8 * l + 2 * i), high = low + 1;
                    const bool nan = is_nan(type, low) || is_nan(type, high);
                    in[8 * l + i] = nan ? 0 : low | high << 16;
                    expected[8 * l + 2 * i] = nan ? 0 : bits(number(type, low));
                    expected[8 * l + 2 * i + 1] = nan ? 0 : bits(number(type, high));
                }
            expect_words(kernel, in, expected, 8);
        }
}

TEST_CASE("dq2 gives every 8-bit code's exact value")
{
    for (const auto& [kernel, type] :
         {std::pair{dequantise_e4m3_lanes, DType::f8e4m3}, {dequantise_i8_lanes, DType::i8}})
        for (std::uint32_t round = 0; round < 2; ++round) {
            Words in(256), expected(256);
            for (std::uint32_t l = 0; l < 32; ++l)
                for (std::uint32_t i = 0; i < 4; ++i)
                    for (std::uint32_t byte = 0; byte < 4; ++byte) {
                        std::uint32_t code = (16 * l + 4 * i + byte + 128 * round) % 256;
                        if (is_nan(type, code)) code = 0;
                        in[8 * l + i] |= code << 8 * byte;
                        expected[8 * l + 2 * i + byte / 2] |= stored(DType::f16, number(type, code)) << 16 * (byte % 2);
                    }
            expect_words(kernel, in, expected, 8);
        }
}

TEST_CASE("exp2_fast and log2_fast are good to 2^-21, and exp2 of minus infinity is zero")
{
    Words in(256);
    for (std::size_t l = 0; l < 32; ++l) in[8 * l] = bits(float(int(l) - 25) * 1.37f);
    on_every_executor(fast_math_lanes, in, [&](const Words& out) {
        for (std::size_t l = 0; l < 32; ++l) {
            const double x = std::bit_cast<float>(in[8 * l]), exact = std::exp2(x);
            CHECK(std::fabs(std::bit_cast<float>(out[8 * l]) - exact) <= exact * 0x1p-21);
            CHECK(out[8 * l + 1] == 0);
            CHECK(std::fabs(std::bit_cast<float>(out[8 * l + 2]) - x) <= 4e-6 * std::max(1.0, std::fabs(x)));
        }
    });
}
