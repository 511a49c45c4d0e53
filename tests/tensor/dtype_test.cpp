#include "reference/tensor/dtype.h"
#include "tests/support/catch.h"
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace headroom;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

std::uint64_t encoded(DType type, double value)
{
    std::array<std::byte, 8> bytes{};
    encode(type, value, bytes.data());
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), static_cast<std::size_t>(byte_size(type)));
    return bits;
}

double decoded(DType type, std::uint64_t bits)
{
    std::array<std::byte, 8> bytes{};
    std::memcpy(bytes.data(), &bits, sizeof bits);
    return decode(type, bytes.data());
}

// A format by its definition: value = mantissa steps, in powers of two. Codes of one sign ascend with their values.
struct Format {
    DType type;
    int exponent_bits, mantissa_bits;
    unsigned largest;    // the largest finite code
    double first_beyond; // the value that the code after it would have
    bool saturates;

    double value(unsigned code) const
    {
        const int bias = (1 << (exponent_bits - 1)) - 1;
        const int exponent = static_cast<int>(code >> mantissa_bits),
                  mantissa = static_cast<int>(code) % (1 << mantissa_bits);
        if (exponent == 0) return mantissa * std::pow(2.0, 1 - bias - mantissa_bits);
        return (1 + mantissa * std::pow(2.0, -mantissa_bits)) * std::pow(2.0, exponent - bias);
    }
    unsigned sign() const { return 1u << (exponent_bits + mantissa_bits); }
};
const std::array formats{Format{DType::f16, 5, 10, 0x7bff, 65536, false},
                         Format{DType::bf16, 8, 7, 0x7f7f, 0x1p128, false},
                         Format{DType::f8e4m3, 4, 3, 0x7e, 480, true}};

} // namespace

TEST_CASE("every finite code of the small formats has the value of its definition, and survives decoding and encoding")
{
    for (const Format& f : formats) {
        INFO(name(f.type));
        for (unsigned code = 0; code <= f.largest; ++code) {
            const double value = f.value(code);
            if (decoded(f.type, code) != value || decoded(f.type, code | f.sign()) != -value) FAIL("decoding " << code);
            if (encoded(f.type, value) != code || encoded(f.type, -value) != (code | f.sign()))
                FAIL("encoding " << code);
        }
        CHECK(std::signbit(decoded(f.type, f.sign())));
    }
}

TEST_CASE("between two neighbouring codes the nearer one is taken, and halfway the even one")
{
    for (const Format& f : formats) {
        INFO(name(f.type));
        for (unsigned code = 0; code <= f.largest; ++code) {
            const double low = f.value(code), high = code == f.largest ? f.first_beyond : f.value(code + 1);
            const unsigned above = f.saturates && code == f.largest ? code : code + 1;
            const double halfway = low + (high - low) / 2; // exact
            const unsigned even = code % 2 == 0 ? code : above;
            for (const unsigned sign : {0u, f.sign()}) {
                const double s = sign ? -1 : 1;
                if (encoded(f.type, s * halfway) != (even | sign)) FAIL("halfway above " << code);
                if (encoded(f.type, s * std::nextafter(halfway, 0)) != (code | sign)) FAIL("below halfway of " << code);
                if (encoded(f.type, s * std::nextafter(halfway, infinity)) != (above | sign))
                    FAIL("above halfway of " << code);
                if (encoded(f.type, s * std::nextafter(low, infinity)) != (code | sign)) FAIL("just above " << code);
            }
        }
    }
}

TEST_CASE("infinities and NaN keep their meaning where the format has them")
{
    for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
        INFO(name(type));
        CHECK(decoded(type, encoded(type, infinity)) == infinity);
        CHECK(decoded(type, encoded(type, -infinity)) == -infinity);
        CHECK(std::isnan(decoded(type, encoded(type, not_a_number))));
    }
    CHECK(encoded(DType::f16, 1e300) == 0x7c00);
    CHECK(encoded(DType::bf16, -1e300) == 0xff80);
    CHECK(encoded(DType::f32, 1e300) == 0x7f800000);
    for (unsigned code = 0x7c01; code <= 0x7fff; ++code)
        REQUIRE(std::isnan(decode_f16(static_cast<std::uint16_t>(code))));
    for (unsigned code = 0x7f81; code <= 0x7fff; ++code)
        REQUIRE(std::isnan(decode_bf16(static_cast<std::uint16_t>(code))));
    CHECK(std::isnan(decode_f8e4m3(0x7f)));
    CHECK(std::isnan(decode_f8e4m3(0xff)));
    CHECK(encoded(DType::f8e4m3, infinity) == 0x7e);
    CHECK(encoded(DType::f8e4m3, -1e9) == 0xfe);
    CHECK(std::isnan(decoded(DType::f8e4m3, encoded(DType::f8e4m3, not_a_number))));
}

TEST_CASE("integers round to even, saturate, and take NaN as 0")
{
    CHECK(decoded(DType::i8, encoded(DType::i8, 2.5)) == 2);
    CHECK(decoded(DType::i8, encoded(DType::i8, -3.5)) == -4);
    CHECK(decoded(DType::i8, encoded(DType::i8, 1000)) == 127);
    CHECK(decoded(DType::i8, encoded(DType::i8, -128)) == -127);
    CHECK(decoded(DType::u8, encoded(DType::u8, -1)) == 0);
    CHECK(decoded(DType::u8, encoded(DType::u8, 255.4)) == 255);
    CHECK(decoded(DType::i32, encoded(DType::i32, infinity)) == 2147483647);
    CHECK(decoded(DType::i32, encoded(DType::i32, -1e20)) == -2147483648.0);
    CHECK(encoded(DType::i64, 0x1p63) == 0x7fffffffffffffff);
    CHECK(encoded(DType::i64, -0x1p64) == 0x8000000000000000);
    CHECK(decoded(DType::i64, encoded(DType::i64, 0x1p53)) == 0x1p53);
    for (const DType type : {DType::i8, DType::u8, DType::i32, DType::i64})
        CHECK(decoded(type, encoded(type, not_a_number)) == 0);
    CHECK(decoded(DType::boolean, encoded(DType::boolean, 0.25)) == 1);
    CHECK(decoded(DType::boolean, 7) == 1);
    CHECK(decoded(DType::boolean, encoded(DType::boolean, 0)) == 0);
}

TEST_CASE("dtypes are found by name, and the message for an unknown one lists them")
{
    for (const auto& [type, size] : std::array<std::pair<const char*, Index>, 10>{{{"f64", 8},
                                                                                   {"f32", 4},
                                                                                   {"f16", 2},
                                                                                   {"bf16", 2},
                                                                                   {"f8e4m3", 1},
                                                                                   {"i8", 1},
                                                                                   {"u8", 1},
                                                                                   {"i32", 4},
                                                                                   {"i64", 8},
                                                                                   {"bool", 1}}}) {
        CHECK(name(dtype_from_name(type)) == type);
        CHECK(byte_size(dtype_from_name(type)) == size);
    }
    CHECK_THROWS_WITH(dtype_from_name("fp16"), containing("'fp16' is unknown; known are f64, f32, f16, bf16"));
}
