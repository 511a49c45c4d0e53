// Where a key lies and where it stands in the text.
#include "reference/contract/kv_view.h"
#include "tests/support/catch.h"

using namespace headroom;

TEST_CASE("without a table each sequence is one block")
{
    KvView kv;
    kv.k.extent[2] = 8;
    CHECK(place(kv, 2, 5).block == 2);
    CHECK(place(kv, 2, 5).slot == 5);
}

TEST_CASE("a table sends keys to blocks in any order")
{
    const std::int32_t table[] = {7, 3, 0, 5, 1, 9};
    KvView kv;
    kv.k.extent[2] = 4;
    kv.block_table = table;
    kv.blocks_per_sequence = 3;
    CHECK(place(kv, 0, 3).block == 7);
    CHECK(place(kv, 0, 4).block == 3);
    CHECK(place(kv, 1, 11).block == 9);
    CHECK(place(kv, 1, 11).slot == 3);
}

TEST_CASE("evicted positions leave one gap behind the first tokens")
{
    const Index length[] = {6, 6}, evicted[] = {10, 0};
    KvView kv;
    kv.length = length;
    kv.evicted = evicted;
    kv.kept_first = 2;
    CHECK(position(kv, 0, 1) == 1);
    CHECK(position(kv, 0, 2) == 12);
    CHECK(position(kv, 1, 2) == 2);
    CHECK(tokens_seen(kv, 0) == 16);
    CHECK(tokens_seen(kv, 1) == 6);
}

// Report 22: offsets beyond 2^31. No memory is touched: only the arithmetic is looked at.
TEST_CASE("offsets in large caches are 64-bit")
{
    StoredView cache; // [16, 8, 131072, 128], one byte each
    const Index extent[4] = {16, 8, 131072, 128};
    Index stride = 1;
    for (int axis = 3; axis >= 0; --axis) {
        cache.extent[axis] = extent[axis];
        cache.byte_stride[axis] = stride;
        stride *= extent[axis];
    }
    CHECK(stride == 2147483648); // 2^31: the first that does not fit 32 bits
    CHECK(byte_offset(cache, 15, 7, 131071, 127) == 2147483647);

    // Latent pages of 480 rows of 576 numbers: 7767 fit, 7768 do not.
    StoredView pages;
    pages.extent[2] = 480;
    pages.extent[3] = 576;
    pages.byte_stride[0] = 480 * 576;
    pages.byte_stride[2] = 576;
    pages.byte_stride[3] = 1;
    const std::int32_t table[] = {7767, 7768};
    KvView kv;
    kv.k = pages;
    kv.block_table = table;
    kv.blocks_per_sequence = 2;
    const auto offset = [&](Index j) {
        const Place at = place(kv, 0, j);
        return byte_offset(kv.k, at.block, 0, at.slot, 0);
    };
    CHECK(offset(0) == 2147420160);
    CHECK(offset(480) == 2147696640);

    // Past 2^31 keys in one sequence.
    kv.block_table = nullptr;
    kv.k.extent[2] = Index{1} << 40;
    CHECK(place(kv, 0, (Index{1} << 35) + 1).slot == (Index{1} << 35) + 1);
}
