#include "reference/kv_cache/prefix_index.h"

#include <algorithm>

namespace headroom {

std::uint64_t fnv1a_chain(std::uint64_t before, TokenSpan tokens)
{
    std::uint64_t hash = before ^ 0xcbf29ce484222325u;
    for (const std::int32_t token : tokens)
        for (int byte = 0; byte < 4; ++byte) {
            hash ^= static_cast<std::uint32_t>(token) >> (8 * byte) & 0xffu;
            hash *= 0x100000001b3u;
        }
    return hash;
}

PrefixIndex::Found PrefixIndex::find(Content before, TokenSpan tokens) const
{
    const std::uint64_t hash = hash_(before.hash, tokens);
    const auto [first, last] = entries_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (entry->second.before == before.number && std::ranges::equal(entry->second.tokens, tokens))
            return {entry->second.block, {entry->second.number, hash}};
    return {-1, {0, hash}};
}

PrefixIndex::Content PrefixIndex::publish(Index block, Content before, TokenSpan tokens)
{
    Found found = find(before, tokens);
    if (found.block >= 0) return found.content;
    found.content.number = last_number_ + 1;
    entries_.emplace(found.content.hash,
                     Entry{block, found.content.number, before.number, {tokens.begin(), tokens.end()}});
    held_[static_cast<std::size_t>(block)] = found.content.hash;
    last_number_ = found.content.number;
    return found.content;
}

void PrefixIndex::forget(Index block) noexcept
{
    const auto [first, last] = entries_.equal_range(held_[static_cast<std::size_t>(block)]);
    const auto entry = std::find_if(first, last, [&](const auto& each) { return each.second.block == block; });
    if (entry != last) entries_.erase(entry);
}

} // namespace headroom
