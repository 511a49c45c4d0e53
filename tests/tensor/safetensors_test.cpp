#include "reference/tensor/files.h"
#include "reference/tensor/random.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>

using namespace headroom;

TEST_CASE("tensors of every type and rank and metadata survive writing and reading")
{
    Random random(1);
    NamedTensors contents;
    for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::i8, DType::u8,
                             DType::i32, DType::i64, DType::boolean})
        contents.tensors.emplace(std::string(name(type)), store(random_normal({2, 3, 5}, random), type));
    contents.tensors.emplace("scalar", store(Tensor(Shape{}, 7), DType::f32));
    contents.tensors.emplace("no rows", store(Tensor({2, 0, 4}), DType::f16));
    contents.tensors.emplace("six axes", store(random_normal({1, 2, 1, 2, 1, 3}, random), DType::f64));
    contents.tensors.emplace("step0003/\xe6\xb3\xa8\xe6\x84\x8f", store(Tensor({1}), DType::i8));
    contents.metadata["headroom.recording"] = "{\"a\": \"\\n\"}";

    const TemporaryFolder folder;
    const auto path = folder.path() / "all.safetensors";
    write_safetensors(path, contents);
    const NamedTensors read = read_safetensors(path);
    CHECK(read.metadata == contents.metadata);
    REQUIRE(read.tensors.size() == contents.tensors.size());
    for (const auto& [name, tensor] : contents.tensors) {
        INFO(name);
        const StoredTensor& again = read.tensors.at(name);
        CHECK(again.shape() == tensor.shape());
        CHECK(again.type() == tensor.type());
        CHECK(std::ranges::equal(again.bytes(), tensor.bytes()));
    }
    CHECK(load(read.tensors.at("scalar")).values()[0] == 7);
}

TEST_CASE("the file is laid out as the format says")
{
    NamedTensors contents;
    contents.tensors.emplace("t", store(Tensor({2}, {1, -1}), DType::bf16));
    const auto file = format_safetensors(contents);
    const std::string expected = R"({"t":{"data_offsets":[0,4],"dtype":"BF16","shape":[2]}})";
    const auto header = static_cast<std::size_t>(file[0]);
    CHECK(header % 8 == 0);
    CHECK(std::string(reinterpret_cast<const char*>(file.data()) + 8, expected.size()) == expected);
    REQUIRE(file.size() == 8 + header + 4);
    CHECK(file[8 + header] == std::byte{0x80}); // 1 is 0x3f80, little-endian
    CHECK(file[8 + header + 3] == std::byte{0xbf});
}

TEST_CASE("a name or a metadata text that is no UTF-8, and the reserved name, are not written")
{
    const TemporaryFolder folder;
    for (const std::string name : {"\xff\xfe", "__metadata__"}) {
        NamedTensors contents;
        contents.tensors.emplace(name, store(Tensor({1}), DType::f32));
        CHECK_THROWS_AS(write_safetensors(folder.path() / "file", contents), std::invalid_argument);
        CHECK(std::filesystem::is_empty(folder.path()));
    }
}
