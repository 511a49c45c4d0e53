#include "reference/tensor/random.h"
#include "reference/tensor/safetensors.h"
#include "tests/support/catch.h"

using namespace headroom;

TEST_CASE("tensors and metadata survive writing and reading")
{
    Random random(1);
    const Tensor t = random_normal({2, 3, 5}, random);
    NamedTensors contents;
    contents.tensors.emplace("t", store(t, DType::f64));
    contents.metadata["headroom.recording"] = "{}";
    const auto path = std::filesystem::temp_directory_path() / "headroom_safetensors_test.safetensors";
    write_safetensors(path, contents);
    const NamedTensors read = read_safetensors(path);
    std::filesystem::remove(path);
    CHECK(read.metadata == contents.metadata);
    CHECK(load(read.tensors.at("t")).shape() == t.shape());
    CHECK(std::ranges::equal(load(read.tensors.at("t")).values(), t.values()));
}
