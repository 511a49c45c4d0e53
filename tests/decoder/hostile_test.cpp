// Checkpoints and tokenizers that lie: one line of text each, never a crash, never a large allocation.
#include "tests/support/catch.h"

#include "reference/decoder/llama2c.h"
#include "reference/decoder/tokenizer.h"
#include "reference/tensor/random.h"
#include "tests/decoder/tiny.h"
#include <cstring>

using namespace headroom;

namespace {

using Bytes = std::vector<std::byte>;

Bytes with_integer(Bytes file, std::size_t at, std::int32_t value)
{
    std::memcpy(file.data() + at, &value, sizeof value);
    return file;
}

// Refused with one line, or read: both are fine for a file that is only damaged; anything else is not.
template <class Read> bool refused(Read&& read)
{
    try {
        read();
        return false;
    } catch (const std::invalid_argument& error) {
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        CHECK(std::string(error.what()).size() > 20);
        return true;
    }
}

Bytes tokenizer_file()
{
    Bytes file;
    const auto add = [&](const auto& value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        file.insert(file.end(), bytes.begin(), bytes.end());
    };
    add(std::int32_t{8});
    for (const std::string piece : {"<unk>", "<s>", "</s>", "a", "ab"}) {
        add(1.5f);
        add(static_cast<std::int32_t>(piece.size()));
        for (const char c : piece) add(c);
    }
    return file;
}

} // namespace

TEST_CASE("a llama2.c checkpoint of any wrong length is refused")
{
    for (const int version : {0, 1}) {
        Bytes file = llama2c_file(tiny_decoder(), version);
        CHECK_FALSE(refused([&] { parse_llama2c(file); }));
        for (std::size_t size = 0; size < file.size(); size += size < 300 ? 1 : 997)
            CHECK(refused([&] { parse_llama2c(std::span(file).first(size)); }));
        file.push_back(std::byte{0});
        CHECK(refused([&] { parse_llama2c(file); }));
    }
}

TEST_CASE("a llama2.c header with zero, negative or huge sizes is refused")
{
    for (const int version : {0, 1}) {
        const Bytes file = llama2c_file(tiny_decoder(), version);
        const std::size_t sizes = version == 0 ? 0 : 8;
        for (std::size_t field = 0; field < 7; ++field)
            for (const std::int32_t value : {0, -1, -7, 3, 0x7fffffff, -0x7fffffff - 1, 0x40000000, 65536}) {
                if (version == 1 && field == 6 && value > 0) continue; // its context adds nothing to the file
                INFO("version " << version << ", size " << field << " = " << value);
                CHECK(refused([&] { parse_llama2c(with_integer(file, sizes + 4 * field, value)); }));
            }
        Bytes all = file;
        for (std::size_t field = 0; field < 7; ++field) all = with_integer(all, sizes + 4 * field, 0x7fffffff);
        CHECK(refused([&] { parse_llama2c(all); }));
    }
    const Bytes file = llama2c_file(tiny_decoder(), 1);
    CHECK(refused([&] { parse_llama2c(with_integer(file, 4, 2)); }));  // an unknown version
    CHECK(refused([&] { parse_llama2c(with_integer(file, 36, 7)); })); // neither shared nor not
}

TEST_CASE("a damaged llama2.c header never does more than be refused")
{
    Random random(1);
    const Bytes whole[] = {llama2c_file(tiny_decoder(), 0), llama2c_file(tiny_decoder(), 1)};
    for (int run = 0; run < 2000; ++run) {
        Bytes file = whole[random.integer(0, 1)];
        for (Index hits = random.integer(1, 4); hits > 0; --hits)
            file[static_cast<std::size_t>(random.integer(0, 40))] = static_cast<std::byte>(random.integer(0, 255));
        refused([&] { parse_llama2c(file); });
    }
    SUCCEED();
}

TEST_CASE("a tokenizer that ends early or lies about lengths is refused")
{
    const Bytes file = tokenizer_file();
    CHECK(parse_tokenizer(file).size() == 5);
    const std::size_t whole[] = {4 + 13 + 11 + 12, 4 + 13 + 11 + 12 + 9}; // where three and four tokens end
    for (std::size_t size = 0; size < file.size(); ++size)
        CHECK(refused([&] { parse_tokenizer(std::span(file).first(size)); }) == (size != whole[0] && size != whole[1]));
    for (const std::int32_t value : {-1, 9, 0x7fffffff, -0x7fffffff - 1})
        CHECK(refused([&] { parse_tokenizer(with_integer(file, 8, value)); }));
    for (const std::int32_t value : {0, -1, 4}) CHECK(refused([&] { parse_tokenizer(with_integer(file, 0, value)); }));
    CHECK(refused([&] { parse_tokenizer(with_integer(file, 4, 0x7fc00000)); })); // a score that is no number
    CHECK(refused([] { parse_tokenizer({}); }));

    Random random(2);
    for (int run = 0; run < 5000; ++run) {
        Bytes damaged = file;
        damaged[static_cast<std::size_t>(random.integer(0, static_cast<Index>(file.size()) - 1))] =
            static_cast<std::byte>(random.integer(0, 255));
        refused([&] { parse_tokenizer(damaged).encode("aab b"); });
    }
}
