#include "experiments/unequal_lengths.h"

#include "reference/decoder/generate.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>

namespace headroom {
namespace {

using Rows = std::vector<std::vector<int>>;
using Hidden = std::vector<std::vector<double>>; // per sequence, the states of its tokens

Rows random_rows(const Decoder& model, const UnequalLengthsSettings& settings)
{
    Random random(settings.seed);
    Rows rows;
    for (const Index length : settings.lengths) {
        if (length < 0 || length > model.config.max_length)
            throw std::invalid_argument("a sequence cannot have " + std::to_string(length) +
                                        " tokens; the model's context is " + std::to_string(model.config.max_length));
        std::vector<int>& row = rows.emplace_back();
        for (Index i = 0; i < length; ++i)
            row.push_back(static_cast<int>(random.integer(0, model.config.vocabulary - 1)));
    }
    return rows;
}

Index tokens_in(const Rows& rows)
{
    Index sum = 0;
    for (const auto& row : rows) sum += static_cast<Index>(row.size());
    return sum;
}

// One pass over packed rows, K and V packed too: what each row needs and nothing else.
Hidden run_packed(const Decoder& model, const Rows& rows, const Backend& backend, BatchingWay& way)
{
    const std::vector<Index> nothing_before(rows.size(), 0);
    PackedKv memory(cache_geometry(model.config, static_cast<Index>(rows.size()), DType::f32), true);
    const Tensor states = forward(model, following(rows, nothing_before), memory, backend);
    way.kv_reserved_bytes += memory.reserved_bytes();
    way.padded_tokens += states.extent(0) - tokens_in(rows);
    Hidden hidden;
    Index t = 0;
    for (const auto& row : rows) {
        std::vector<double>& mine = hidden.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i, ++t)
            mine.insert(mine.end(), states.row(t).begin(), states.row(t).end());
    }
    return hidden;
}

// One pass over rows padded to the longest, into a cache that has a slot for every padding token too.
Hidden run_padded(const Decoder& model, const Rows& rows, Side side, const Backend& backend, BatchingWay& way)
{
    const PaddedRows padded = pad(rows, side);
    const auto longest = static_cast<Index>(padded.real.front().size());
    CacheChoice choice{.kind = "preallocated"};
    choice.options.max_length = longest;
    const auto cache = make_cache(model.config, static_cast<Index>(rows.size()), choice);
    CachedKv memory(*cache);
    const Tensor states = forward(model, padded_pass(padded.tokens, padded.real), memory, backend);
    way.kv_reserved_bytes += cache->counters().reserved;
    way.padded_tokens += states.extent(0) - tokens_in(rows);
    Hidden hidden(rows.size());
    Index t = 0;
    for (std::size_t b = 0; b < rows.size(); ++b)
        for (Index slot = 0; slot < longest; ++slot, ++t)
            if (padded.real[b][static_cast<std::size_t>(slot)])
                hidden[b].insert(hidden[b].end(), states.row(t).begin(), states.row(t).end());
    return hidden;
}

// Rows whose lengths round up to the same power of two.
std::vector<std::vector<std::size_t>> buckets(const Rows& rows)
{
    std::map<std::size_t, std::vector<std::size_t>> by_size;
    for (std::size_t b = 0; b < rows.size(); ++b)
        if (!rows[b].empty()) by_size[std::bit_ceil(rows[b].size())].push_back(b);
    std::vector<std::vector<std::size_t>> list;
    for (auto& [size, members] : by_size) list.push_back(std::move(members));
    return list;
}

Rows chosen(const Rows& rows, const std::vector<std::size_t>& which)
{
    Rows some;
    for (const std::size_t b : which) some.push_back(rows[b]);
    return some;
}

} // namespace

std::vector<BatchingWay> unequal_lengths(const Decoder& model, const UnequalLengthsSettings& settings,
                                         const Backend& backend)
{
    const Rows rows = random_rows(model, settings);
    const Index useful = tokens_in(rows);
    if (useful == 0) throw std::invalid_argument("there is nothing to batch: no sequence has a token");

    Hidden alone;
    for (const auto& row : rows) {
        BatchingWay unused;
        alone.push_back(row.empty() ? std::vector<double>{} : run_packed(model, {row}, backend, unused).front());
    }

    std::vector<BatchingWay> ways;
    const auto measure = [&](std::string name, std::string idea, const std::vector<std::vector<std::size_t>>& groups,
                             bool padded) {
        BatchingWay way{.name = std::move(name), .idea = std::move(idea), .useful_tokens = useful};
        Work work;
        const Backend watched = counted(backend, work);
        for (const auto& group : groups) {
            const Rows members = chosen(rows, group);
            const Hidden hidden = padded ? run_padded(model, members, settings.padding, watched, way)
                                         : run_packed(model, members, watched, way);
            for (std::size_t i = 0; i < group.size(); ++i) way.equal_to_alone &= hidden[i] == alone[group[i]];
            ++way.passes;
        }
        way.linear_madds = work.linear;
        way.attention_madds = work.attention;
        ways.push_back(std::move(way));
    };
    std::vector<std::size_t> everyone(rows.size());
    for (std::size_t b = 0; b < everyone.size(); ++b) everyone[b] = b;
    measure("padded", "all rows as long as the longest, padding masked", {everyone}, true);
    measure("bucketed", "rows of similar length together, padded within their group", buckets(rows), true);
    measure("ragged", "rows packed behind one another, offsets say where each begins", {everyone}, false);
    return ways;
}

} // namespace headroom
