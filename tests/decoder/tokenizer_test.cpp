// Byte-pair encoding: merges by score, bytes where a character is unknown, the space in front.
#include "tests/support/catch.h"

#include "reference/decoder/tokenizer.h"
#include <cstdio>

using namespace headroom;

namespace {

// The special tokens, those of the bytes, then some pieces of text: 259 onwards.
Tokenizer with_pieces(std::initializer_list<Tokenizer::Piece> more)
{
    std::vector<Tokenizer::Piece> pieces{{"<unk>", 0}, {"<s>", 0}, {"</s>", 0}};
    for (int byte = 0; byte < 256; ++byte) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", byte);
        pieces.push_back({name, 0});
    }
    pieces.insert(pieces.end(), more);
    return Tokenizer(pieces);
}

using Ids = std::vector<int>;

} // namespace

TEST_CASE("the best score merges first, the leftmost among equals")
{
    const Tokenizer t =
        with_pieces({{" ", 0}, {"a", 0}, {"b", 0}, {"c", 0}, {"ab", -2}, {"bc", -1}, {"abc", -3}, {"aa", -4}});
    CHECK(t.encode("abc") == Ids{1, 259, 265});       // bc before ab, then a and bc
    CHECK(t.encode("aaa") == Ids{1, 259, 266, 260});  // leftmost
    CHECK(t.encode("aaab") == Ids{1, 259, 266, 263}); // ab (-2) before aa (-4)
    CHECK(t.encode("") == Ids{1});
}

TEST_CASE("a character that is no token becomes its bytes, and decodes to itself")
{
    const Tokenizer t = with_pieces({{" ", 0}, {"\xC3\xA9", 0}});
    CHECK(t.encode("\xC3\xA9") == Ids{1, 259, 260});               // é is a token
    CHECK(t.encode("\xE4\xB8\xAD") == Ids{1, 259, 231, 187, 176}); // 中 is not
    for (const std::string text : {"", "a", " a", "  two", "h\xC3\xA9 \xE4\xB8\xAD\n<0x41>", "\xFF\xFE broken \xC3"})
        CHECK(t.decode(t.encode(text)) == text);
}

TEST_CASE("tokens outside the vocabulary and characters without bytes are refused")
{
    const Tokenizer small({{"<unk>", 0}, {"<s>", 0}, {"</s>", 0}, {" ", 0}, {"a", 0}});
    CHECK(small.encode("a") == Ids{1, 3, 4});
    CHECK_THROWS_AS(small.encode("z"), std::invalid_argument);
    CHECK_THROWS_AS(small.decode(Ids{5}), std::invalid_argument);
    CHECK_THROWS_AS(small.decode(Ids{-1}), std::invalid_argument);
    CHECK_THROWS_AS(Tokenizer({{"<unk>", 0}}), std::invalid_argument);
}
