// Text to token ids and back: byte-pair encoding by score with a fall-back to bytes, as in llama2.c.
//
//     file      int32 length of the longest piece; then for each token f32 score, int32 length, the bytes
//     tokens    0 unknown, 1 begin (BOS), 2 end (EOS), 3 to 258 the bytes "<0x00>" to "<0xFF>", then pieces of text
//     encoding  BOS, a space before the text, its characters (as bytes where a character is no token); then again and
//               again the two neighbours whose union has the best score become one, the leftmost first
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom {

class Tokenizer {
public:
    static constexpr int begin = 1, end = 2, first_byte = 3;
    struct Piece {
        std::string text;
        float score;
    };
    explicit Tokenizer(std::vector<Piece> pieces);

    std::vector<int> encode(std::string_view text) const; // with BOS; throws where a byte has no token
    std::string decode(std::span<const int> tokens) const;
    std::string decode_one(int token, int before) const; // its bytes behind token `before`
    int size() const { return static_cast<int>(pieces_.size()); }
    const std::vector<Piece>& pieces() const { return pieces_; }

private:
    std::vector<Piece> pieces_;
    std::unordered_map<std::string, int> ids_;
};

// Throw std::invalid_argument with one line that says what is wrong.
Tokenizer parse_tokenizer(std::span<const std::byte> file);
Tokenizer read_tokenizer(const std::filesystem::path& path);

} // namespace headroom
