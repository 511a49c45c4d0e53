#include "reference/tensor/dtype.h"
#include "tests/support/catch.h"
#include <cmath>
#include <limits>

using namespace headroom;

TEST_CASE("every f16, bf16 and f8e4m3 code survives decoding and encoding")
{
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto code = static_cast<std::uint16_t>(bits);
        if (!std::isnan(decode_f16(code))) REQUIRE(encode_f16(decode_f16(code)) == code);
        if (!std::isnan(decode_bf16(code))) REQUIRE(encode_bf16(decode_bf16(code)) == code);
    }
    for (unsigned bits = 0; bits < 0x100; ++bits) {
        const auto code = static_cast<std::uint8_t>(bits);
        if (!std::isnan(decode_f8e4m3(code))) REQUIRE(encode_f8e4m3(decode_f8e4m3(code)) == code);
    }
}

TEST_CASE("halfway values round to the even neighbour, and the largest values behave as their formats say")
{
    CHECK(encode_f16(1 + 0x1p-11) == 0x3c00);
    CHECK(encode_f16(1 + 3 * 0x1p-11) == 0x3c02);
    CHECK(encode_f16(65504) == 0x7bff);
    CHECK(encode_f16(65519.999) == 0x7bff);
    CHECK(encode_f16(65520) == 0x7c00);
    CHECK(encode_f16(0x1p-25) == 0);
    CHECK(encode_f16(0x1.8p-25) == 1);
    CHECK(encode_bf16(257) == encode_bf16(256));
    CHECK(encode_f8e4m3(448) == 0x7e);
    CHECK(encode_f8e4m3(1e9) == 0x7e);
    CHECK(encode_f8e4m3(std::numeric_limits<double>::quiet_NaN()) == 0x7f);
}
