#include "reference/decoder/tokenizer.h"

#include "reference/tensor/files.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <queue>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

constexpr int bytes_in_all = 256;

std::string byte_name(int byte)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string name = "<0x00>";
    name[3] = digits[byte / 16];
    name[4] = digits[byte % 16];
    return name;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

} // namespace

Tokenizer::Tokenizer(std::vector<Piece> pieces) : pieces_(std::move(pieces))
{
    if (size() <= end) throw std::invalid_argument("a tokenizer needs at least the tokens unknown, begin and end");
    for (int id = 0; id < size(); ++id) ids_.emplace(pieces_[static_cast<std::size_t>(id)].text, id);
}

std::vector<int> Tokenizer::encode(std::string_view text) const
{
    // Characters, or their bytes.
    std::vector<int> symbols;
    std::string spaced(text.empty() ? "" : " ");
    spaced += text;
    for (std::size_t from = 0, to = 0; from < spaced.size(); from = to) {
        to = from + 1;
        while (to < spaced.size() && to - from < 4 && continues_character(spaced[to])) ++to;
        const auto known = ids_.find(spaced.substr(from, to - from));
        if (known != ids_.end())
            symbols.push_back(known->second);
        else
            for (std::size_t i = from; i < to; ++i) {
                const int byte = static_cast<unsigned char>(spaced[i]);
                if (first_byte + byte >= size())
                    throw std::invalid_argument("the tokenizer has no token for byte " + byte_name(byte));
                symbols.push_back(first_byte + byte);
            }
    }

    // Merge the best pair of neighbours until there is none. A merged symbol stays at its left place; a candidate that
    // has been overtaken is recognised by its two symbols.
    struct Candidate {
        float score;
        std::size_t left;
        int left_id, right_id, merged;
        bool operator<(const Candidate& other) const // the queue gives the greatest: best score, then leftmost
        {
            return score != other.score ? score < other.score : left > other.left;
        }
    };
    const std::size_t count = symbols.size();
    std::vector<std::size_t> next(count), previous(count);
    for (std::size_t i = 0; i < count; ++i) {
        next[i] = i + 1;
        previous[i] = i - 1;
    }
    std::priority_queue<Candidate> candidates;
    const auto consider = [&](std::size_t left) {
        if (left >= count || next[left] >= count) return;
        const int a = symbols[left], b = symbols[next[left]];
        const auto merged =
            ids_.find(pieces_[static_cast<std::size_t>(a)].text + pieces_[static_cast<std::size_t>(b)].text);
        if (merged != ids_.end())
            candidates.push({pieces_[static_cast<std::size_t>(merged->second)].score, left, a, b, merged->second});
    };
    for (std::size_t i = 0; i < count; ++i) consider(i);
    while (!candidates.empty()) {
        const Candidate best = candidates.top();
        candidates.pop();
        const std::size_t right = next[best.left];
        if (symbols[best.left] != best.left_id || right >= count || symbols[right] != best.right_id) continue;
        symbols[best.left] = best.merged;
        symbols[right] = -1;
        next[best.left] = next[right];
        if (next[right] < count) previous[next[right]] = best.left;
        consider(best.left);
        consider(previous[best.left]);
    }

    std::vector<int> ids{begin};
    for (const int symbol : symbols)
        if (symbol >= 0) ids.push_back(symbol);
    return ids;
}

std::string Tokenizer::decode_one(int token, int before) const
{
    if (token < 0 || token >= size())
        throw std::invalid_argument("token " + std::to_string(token) + " is not among the tokenizer's " +
                                    std::to_string(size()));
    if (token == begin || token == end) return {};
    std::string text = pieces_[static_cast<std::size_t>(token)].text;
    const int byte = token - first_byte;
    if (byte >= 0 && byte < bytes_in_all && text == byte_name(byte)) text = std::string(1, static_cast<char>(byte));
    if (before == begin && text.starts_with(' ')) text.erase(0, 1); // the space that encoding put there
    return text;
}

std::string Tokenizer::decode(std::span<const int> tokens) const
{
    std::string text;
    int before = 0;
    for (const int token : tokens) {
        text += decode_one(token, before);
        before = token;
    }
    return text;
}

Tokenizer parse_tokenizer(std::span<const std::byte> file)
{
    const auto refuse = [](const std::string& why) {
        throw std::invalid_argument("not a valid llama2.c tokenizer: " + why);
    };
    std::size_t at = 0;
    const auto take = [&](auto& value) {
        if (file.size() - at < sizeof value) refuse("it ends within a token");
        std::memcpy(&value, file.data() + at, sizeof value);
        at += sizeof value;
    };
    std::int32_t longest = 0;
    take(longest);
    if (longest < 1) refuse("its longest piece has length " + std::to_string(longest));
    std::vector<Tokenizer::Piece> pieces;
    while (at < file.size()) {
        const std::string which = "token " + std::to_string(pieces.size());
        Tokenizer::Piece piece;
        std::int32_t length = 0;
        take(piece.score);
        take(length);
        if (!std::isfinite(piece.score)) refuse("the score of " + which + " is not a number");
        if (length < 0 || length > longest)
            refuse("the length of " + which + " is " + std::to_string(length) + ", the longest piece " +
                   std::to_string(longest));
        if (static_cast<std::size_t>(length) > file.size() - at) refuse("it ends within " + which);
        piece.text.assign(reinterpret_cast<const char*>(file.data()) + at, static_cast<std::size_t>(length));
        at += static_cast<std::size_t>(length);
        pieces.push_back(std::move(piece));
    }
    try {
        return Tokenizer(std::move(pieces));
    } catch (const std::invalid_argument& error) {
        refuse(error.what());
        throw;
    }
}

Tokenizer read_tokenizer(const std::filesystem::path& path)
{
    const std::vector<std::byte> file = read_file(path);
    try {
        return parse_tokenizer(file);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(path.string() + ": " + error.what());
    }
}

} // namespace headroom
