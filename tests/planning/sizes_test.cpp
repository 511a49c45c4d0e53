#include "reference/planning/checked.h"
#include "reference/planning/gpus.h"
#include "reference/planning/kv_format.h"
#include "tests/support/catch.h"
#include <limits>
#include <set>

using namespace headroom;

TEST_CASE("GB and GiB are different sizes, and a size without a unit is refused")
{
    CHECK(parse_memory("24GiB").bytes == 25769803776);
    CHECK(parse_memory("24GB").bytes == 24000000000);
    CHECK(parse_memory("81559 MiB").bytes == Index{81559} * 1048576);
    CHECK(parse_memory("1.5TiB").bytes == 1649267441664);
    CHECK(parse_memory("2PiB").bytes == Index{1} << 51);
    CHECK(parse_memory("17B").bytes == 17);
    CHECK(parse_bandwidth("3.35TB/s") == 3350000000000);
    for (const char* text :
         {"24",         "24G",  "24gb", "24 GiB x", "GiB",  "-24GiB", "0GiB",   "nanGiB",  "infGiB", "1e30GiB",
          "9000000TiB", "8EiB", "",     "24GB/s",   "0.1B", "+24GiB", " 24GiB", "0x18GiB", "24GiB,", "2,4GiB"})
        CHECK_THROWS_AS(parse_memory(text), std::invalid_argument);
    for (const char* text : {"900", "900GB", "-1GB/s", "/s"})
        CHECK_THROWS_AS(parse_bandwidth(text), std::invalid_argument);
}

TEST_CASE("sizes are written with three digits or exactly")
{
    CHECK(size_text(131072) == "128 KiB");
    CHECK(size_text(1073741824) == "1 GiB");
    CHECK(size_text(16060522496) == "15.0 GiB");
    CHECK(size_text(1000000000) == "954 MiB");
    CHECK(size_text(17) == "17 B");
    CHECK(size_text(0) == "0 B");
    CHECK(size_text(-2048) == "-2 KiB");
    CHECK(size_text(Index{3} << 59) == "1.50 EiB");
    CHECK(size_text(std::numeric_limits<Index>::max()) == "8 EiB");
}

TEST_CASE("a GPU is found in any case, an unknown one is refused with all names")
{
    CHECK(gpu("H100").memory_bytes == 80000000000);
    CHECK(gpu("a100-80gb").bandwidth == 2039000000000);
    std::set<std::string_view> names;
    for (const Gpu& one : gpus()) {
        CHECK(names.insert(one.name).second);
        CHECK_FALSE(one.source.empty());
        CHECK_THROWS_WITH(gpu("h1000"), containing(std::string(one.name)));
    }
    for (const char* name : {"a100-80gb", "h100", "h200", "l40s", "rtx4090"}) CHECK(names.count(name) == 1);
}

TEST_CASE("a GPU is found by what people and drivers call it")
{
    CHECK(gpu("RTX 4090").name == "rtx4090");
    CHECK(gpu("4090").name == "rtx4090");
    CHECK(gpu("NVIDIA GeForce RTX 4090").name == "rtx4090");
    CHECK(gpu("NVIDIA A100-SXM4-80GB").name == "a100-80gb");
    CHECK(gpu("A100-PCIE-40GB").name == "a100-40gb");
    CHECK(gpu("NVIDIA A100 80GB PCIe").name == "a100-80gb-pcie");
    CHECK(gpu("NVIDIA H100 80GB HBM3").name == "h100");
    CHECK(gpu("h100_sxm").name == "h100");
    CHECK(gpu("NVIDIA H100 NVL").name == "h100-nvl");
    CHECK(gpu("Tesla T4").name == "t4");
    CHECK(gpu("AMD Instinct MI300X").name == "mi300x");
    CHECK(gpu("A10G").name == "a10");
    CHECK(gpu("a6000").name == "rtx-a6000");
    CHECK_THROWS_WITH(gpu("a100"), containing("a100-80gb, a100-80gb-pcie, a100-40gb: which?"));
    CHECK_THROWS_WITH(gpu("V100"), containing("v100-16gb"));
    CHECK_THROWS_WITH(gpu(""), containing("known: h200"));
    CHECK_THROWS_WITH(gpu("nvidia"), containing("known: h200"));
}

TEST_CASE("arithmetic refuses what is beyond 2^63 - 1")
{
    const Index most = std::numeric_limits<Index>::max();
    CHECK(times(most, 1) == most);
    CHECK(plus(most, 0) == most);
    CHECK_THROWS_AS(times(Index{1} << 32, Index{1} << 31), std::overflow_error);
    CHECK_THROWS_AS(plus(most, 1), std::overflow_error);
    CHECK(divide_up(most, 2) == (most / 2) + 1);
}

TEST_CASE("a row takes its numbers and its scale")
{
    CHECK(kv_format("f32").row_bytes(128) == 512);
    CHECK(kv_format("bf16").row_bytes(80) == 160);
    CHECK(kv_format("i8").row_bytes(128) == 132);
    CHECK(kv_format("f8e4m3").row_bytes(1) == 5);
    CHECK(kv_format("i4").row_bytes(576) == 288);
    CHECK(kv_format("i4").row_bytes(37) == 19); // rounded up to whole bytes
    CHECK(scaled(kv_format("i4"), Scaling::per_head_and_token).row_bytes(64) == 36);
    CHECK_THROWS_AS(scaled(kv_format("i8"), Scaling::per_channel), std::invalid_argument);
    CHECK_THROWS_AS(scaled(kv_format("bf16"), Scaling::per_tensor), std::invalid_argument);
    CHECK_THROWS_WITH(kv_format("i5"), containing("bf16"));
    CHECK_THROWS_WITH(kv_format("f64x"), containing("i4"));
}
