#include "reference/decoder/llama2c_header.h"

#include "reference/decoder/weight_list.h"
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace headroom {
namespace {

constexpr std::int32_t magic = 0x616b3432; // "ak42"
constexpr std::size_t shared_flag_at = 2 * 4 + 7 * 4;

[[noreturn]] void refuse(const std::string& why)
{
    throw std::invalid_argument("not a valid llama2.c checkpoint: " + why);
}

std::int32_t integer(std::span<const std::byte> file, std::size_t at)
{
    std::int32_t value = 0;
    std::memcpy(&value, file.data() + at, sizeof value);
    return value;
}

Llama2cHeader parse(std::span<const std::byte> file)
{
    Llama2cHeader header;
    if (file.size() < header.bytes()) refuse("it has " + std::to_string(file.size()) + " bytes, too few for a header");
    std::size_t at = 0;
    if (integer(file, 0) == magic) {
        header.version = integer(file, 4);
        if (header.version != 1) refuse("its version is " + std::to_string(header.version) + "; 0 and 1 are known");
        if (file.size() < header.bytes()) refuse("it ends within its header of 256 bytes");
        at = 8;
    }
    Index size[7];
    for (Index& each : size) {
        each = integer(file, at);
        at += 4;
    }
    if (header.version == 1) {
        const auto flag = std::to_integer<int>(file[shared_flag_at]);
        if (flag > 1) refuse("its flag for a shared classifier is " + std::to_string(flag));
        header.shared_classifier = flag == 1;
    } else {
        header.shared_classifier = size[5] > 0;
        size[5] = std::abs(size[5]);
    }
    DecoderConfig& c = header.config;
    c = {.width = size[0],
         .layers = size[2],
         .q_heads = size[3],
         .kv_heads = size[4],
         .head_dim = 1,
         .hidden = size[1],
         .vocabulary = size[5],
         .max_length = size[6]};
    if (c.q_heads > 0 && c.width > 0) {
        if (c.width % c.q_heads != 0)
            refuse("its width " + std::to_string(c.width) + " is no multiple of its " + std::to_string(c.q_heads) +
                   " heads");
        c.head_dim = c.width / c.q_heads;
    }
    try {
        check(c);
    } catch (const std::invalid_argument& error) {
        refuse(error.what());
    }
    return header;
}

// Before anything is allocated: does a file of this size hold what its header promises?
void check_size(const Llama2cHeader& header, std::size_t file_bytes)
{
    const DecoderConfig& c = header.config;
    bool too_large = false;
    Index numbers = 0;
    const auto add = [&](Index times, Index rows, Index columns) {
        Index product = 0;
        too_large |= __builtin_mul_overflow(rows, columns, &product) ||
                     __builtin_mul_overflow(product, times, &product) ||
                     __builtin_add_overflow(numbers, product, &numbers);
    };
    for (const LayerWeight& weight : layer_weights()) {
        const Shape shape = weight.shape(c);
        add(c.layers, shape.front(), shape.size() == 2 ? shape.back() : 1);
    }
    add(1, c.width, 1);
    add(header.shared_classifier ? 1 : 2, c.vocabulary, c.width);
    if (header.version == 0) add(2, c.max_length, c.head_dim / 2);

    Index bytes = 0;
    too_large |= __builtin_mul_overflow(numbers, Index{sizeof(float)}, &bytes) ||
                 __builtin_add_overflow(bytes, static_cast<Index>(header.bytes()), &bytes);
    if (too_large) refuse("the sizes in its header are too large");
    if (bytes != static_cast<Index>(file_bytes))
        refuse("its header asks for " + std::to_string(bytes) + " bytes, it has " + std::to_string(file_bytes));
}

} // namespace

Llama2cHeader parse_llama2c_header(std::span<const std::byte> file)
{
    const Llama2cHeader header = parse(file);
    check_size(header, file.size());
    return header;
}

std::vector<std::byte> written(const Llama2cHeader& header)
{
    const DecoderConfig& c = header.config;
    std::vector<std::int32_t> sizes;
    if (header.version == 1) sizes = {magic, 1};
    for (const Index each :
         {c.width, c.hidden, c.layers, c.q_heads, c.kv_heads,
          header.version == 0 && !header.shared_classifier ? -c.vocabulary : c.vocabulary, c.max_length})
        sizes.push_back(static_cast<std::int32_t>(each));
    const auto bytes = std::as_bytes(std::span(sizes));
    std::vector<std::byte> file(bytes.begin(), bytes.end());
    file.resize(header.bytes());
    if (header.version == 1) file[shared_flag_at] = std::byte{header.shared_classifier};
    return file;
}

} // namespace headroom
