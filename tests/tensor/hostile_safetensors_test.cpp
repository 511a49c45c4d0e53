// Files that somebody made to break the reader, and files that were damaged on their way.
#include "reference/tensor/random.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include <cstring>

using namespace headroom;

namespace {

std::vector<std::byte> file(const std::string& header, std::size_t data_bytes, std::uint64_t claimed)
{
    std::vector<std::byte> bytes(8 + header.size() + data_bytes);
    std::memcpy(bytes.data(), &claimed, 8);
    std::memcpy(bytes.data() + 8, header.data(), header.size());
    return bytes;
}
std::vector<std::byte> file(const std::string& header, std::size_t data_bytes)
{
    return file(header, data_bytes, header.size());
}

// Read, or refused with one line: returns that line, or nothing. Anything else ends the test.
std::string refusal(std::span<const std::byte> bytes)
{
    try {
        parse_safetensors(bytes);
        return "";
    } catch (const std::invalid_argument& error) {
        const std::string line = error.what();
        REQUIRE_THAT(line, containing("not a valid safetensors file: "));
        REQUIRE(line.find('\n') == std::string::npos);
        REQUIRE(line.size() < 400);
        return line;
    }
}

struct Hostile {
    std::string header;
    std::size_t data_bytes;
    std::string refusal;
};

} // namespace

TEST_CASE("a hostile safetensors header is refused with the reason")
{
    const std::string deep(1'000'000, '[');
    std::string wide = "{\"t\":{\"dtype\":\"F32\",\"shape\":[1";
    for (int i = 0; i < 100'000; ++i) wide += ",1";
    const std::vector<Hostile> all{
        {"", 0, "does not begin with '{'"},
        {"[]", 0, "does not begin with '{'"},
        {"{", 0, "not JSON"},
        {"{}x", 0, "not JSON"},
        {"{\"\xff\": 1}", 0, "not JSON in UTF-8"},
        {"{\"a\":" + deep, 0, "nests deeper"},
        {"{\"a\":{\"b\":{\"c\":{}}}}", 0, "nests deeper"},
        {wide, 4, "more than 64 numbers"},
        {"{}", 4, "bytes follow"},
        {R"({"t": 1})", 0, "entry 't' is not an object"},
        {R"({"__metadata__": []})", 0, "not an object"},
        {R"({"__metadata__": {"a": 1}})", 0, "metadata 'a' is not a text"},
        {R"({"t":{"shape":[1],"data_offsets":[0,4]}})", 4, "lacks dtype"},
        {R"({"t":{"dtype":"F32","data_offsets":[0,4]}})", 4, "lacks shape"},
        {R"({"t":{"dtype":"F32","shape":[1]}})", 4, "lacks data_offsets"},
        {R"({"t":{"dtype":7,"shape":[1],"data_offsets":[0,4]}})", 4, "not a text"},
        {R"({"t":{"dtype":"F8_E5M2","shape":[4],"data_offsets":[0,4]}})", 4, "tensor 't' has dtype 'F8_E5M2'"},
        {R"({"t":{"dtype":"F3\n2","shape":[4],"data_offsets":[0,4]}})", 4, "'F3?2'"},
        {R"({"t":{"dtype":"F32","shape":{},"data_offsets":[0,4]}})", 4, "the shape of tensor 't' is not a list"},
        {R"({"t":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "not a size"},
        {R"({"t":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "not a size"},
        {R"({"t":{"dtype":"F32","shape":["1"],"data_offsets":[0,4]}})", 4, "not a size"},
        {R"({"t":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})", 4, "not a size"},
        {R"({"t":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0, "too large a shape"},
        {R"({"t":{"dtype":"F64","shape":[1152921504606846977],"data_offsets":[0,8]}})", 8, "too large a shape"},
        {R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "needs 8 bytes, but its data_offsets span 4"},
        {R"({"t":{"dtype":"F32","shape":[0],"data_offsets":[0,4]}})", 4, "needs 0 bytes"},
        {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 4, "outside the 4 bytes"},
        {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}})", 8, "outside"},
        {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,9223372036854775807]}})", 4, "outside"},
        {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "outside"},
        {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8, "gap before tensor 't'"},
        {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 8, "bytes follow"},
        {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
         12, "tensor 'b' overlaps another"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
         4, "overlaps another"},
        {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
         4, "'t' stands twice"},
        {R"({"t":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4, "'dtype' stands twice"},
        {"{\"" + std::string(100'000, 'n') + "\": 1}", 0, "nnn...' is not an object"},
    };
    for (const Hostile& each : all) {
        INFO(each.header.substr(0, 120));
        CHECK_THAT(refusal(file(each.header, each.data_bytes)), containing(each.refusal));
    }
}

TEST_CASE("a safetensors file that is too short for its own claims is refused")
{
    CHECK_THAT(refusal({}), containing("shorter than 8 bytes"));
    CHECK_THAT(refusal(file("{}", 0, 3)), containing("claims 3 bytes of a file of 10"));
    CHECK_THAT(refusal(file("{}", 0, 100'000'001)), containing("claims 100000001 bytes"));
    CHECK_THAT(refusal(file("{}", 0, ~std::uint64_t{0})), containing("claims 18446744073709551615 bytes"));
    CHECK(refusal(file("{}", 0)).empty());
}

TEST_CASE("a damaged safetensors file is read or refused, whatever was damaged")
{
    Random random(3);
    NamedTensors contents;
    contents.tensors.emplace("q", store(random_normal({1, 2, 3, 4}, random), DType::f32));
    contents.tensors.emplace("mask", store(Tensor({3}, 1.0), DType::boolean));
    contents.tensors.emplace("empty", store(Tensor({0, 5}), DType::bf16));
    contents.metadata["about"] = "a \"test\"";
    const std::vector<std::byte> good = format_safetensors(contents);
    REQUIRE(refusal(good).empty());

    for (std::size_t length = 0; length < good.size(); ++length)
        REQUIRE_FALSE(refusal(std::span(good).first(length)).empty());

    const std::string grammar = "{}[]\",:0123456789-.eE\\u \n\xc3\xff\x00TF_";
    int refused = 0;
    constexpr int rounds = 20'000;
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::byte> bytes = good;
        for (Index edits = random.integer(1, 3); edits > 0; --edits) {
            const auto at = static_cast<std::size_t>(random.integer(0, static_cast<Index>(bytes.size()) - 1));
            const auto where = bytes.begin() + static_cast<std::ptrdiff_t>(at);
            const char letter =
                grammar[static_cast<std::size_t>(random.integer(0, static_cast<Index>(grammar.size()) - 1))];
            switch (random.integer(0, 3)) {
            case 0: bytes[at] = static_cast<std::byte>(letter); break;
            case 1: bytes[at] ^= static_cast<std::byte>(1u << random.integer(0, 7)); break;
            case 2: bytes.erase(where); break;
            default: bytes.insert(where, static_cast<std::byte>(letter));
            }
        }
        refused += !refusal(bytes).empty();
    }
    CHECK(refused > rounds / 2);
    CHECK(refused < rounds); // what hit only the numbers is read
}
