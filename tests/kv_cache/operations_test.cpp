// Laws of append, truncate, select and reset: every kind in every storage type beside a plain list of tokens, in a
// long random history in which steps are also abandoned, refused and starved of memory.
#include "reference/kv_cache/paged.h"
#include "reference/tensor/random.h"
#include "tests/kv_cache/every_cache.h"
#include "tests/kv_cache/test_memory.h"
#include "tests/support/catch.h"
#include <bit>
#include <numeric>
#include <set>

using namespace headroom;

namespace {

constexpr Index Hkv = 2, D = 3, Dv = 2, types = 7, layers = 2;
constexpr Index max_length = 21, block = 4, W = 5, sinks = 2, pool_blocks = 14;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A token is one of a few types, and its type decides its K and V; the model is a list of types for each sequence.
class Beside {
public:
    Beside(const CacheKind& kind, const Storage& storage, std::uint64_t seed)
        : random_(seed), k_(random_uniform({1, Hkv, types, D}, random_)),
          v_(random_uniform({1, Hkv, types, Dv}, random_)), right_(uncached(k_, v_, storage)), kind_(kind.name),
          model_(3)
    {
        KvGeometry g = right_.geometry;
        g.layers = layers;
        g.sequences = 3;
        g.scales.assign(at(layers), g.scales[0]);
        cache_ = kind.make(g, {.max_length = max_length,
                               .initial = 4,
                               .block = block,
                               .pool_blocks = pool_blocks,
                               .window = W,
                               .sinks = sinks,
                               .longest_append = 6,
                               .memory = &memory_});
    }

    void random_operation()
    {
        const Index what = random_.integer(0, 99);
        if (what < 55) return append(random_.integer(0, 9) == 0);
        if (what < 70) return truncate();
        if (what < 90) return select();
        if (what < 93) return reset();
        refuse();
    }

    void check()
    {
        const auto lengths = cache_->lengths();
        REQUIRE(static_cast<Index>(lengths.size()) == static_cast<Index>(model_.size()));
        Index visible = 0;
        for (Index layer = 0; layer < layers; ++layer) {
            const KvView kv = cache_->view(layer);
            for (Index b = 0; b < kv.sequences; ++b) {
                const std::vector<Index>& row = model_[at(b)];
                REQUIRE(lengths[at(b)] == static_cast<Index>(row.size()));
                std::set<Index> positions;
                for (Index j = 0; j < kv.length[b]; ++j) {
                    const Index p = position(kv, b, j);
                    positions.insert(p);
                    check_token(kv, layer, place(kv, b, j), row.at(at(p)));
                }
                visible += layer == 0 ? kv.length[b] : 0;
                // Nothing that the next token needs is missing.
                const Index length = lengths[at(b)];
                for (Index p = 0; p < length; ++p)
                    if (kind_ != "ring" || p < sinks || p > length - W) REQUIRE(positions.count(p) == 1);
            }
        }
        check_counters(visible);
    }

    TestMemory& memory() { return memory_; }
    KvCache& cache() { return *cache_; }
    const std::vector<std::vector<Index>>& model() const { return model_; }

private:
    void check_token(const KvView& kv, Index layer, Place where, Index type)
    {
        for (Index h = 0; h < Hkv; ++h) {
            const auto same = [&](const StoredView& found, const StoredView& wanted) {
                for (Index d = 0; d < wanted.extent[3]; ++d)
                    if (std::bit_cast<std::uint64_t>(value(found, where.block, h, where.slot, d)) !=
                        std::bit_cast<std::uint64_t>(value(wanted, 0, h, (type + layer) % types, d)))
                        return false;
                return true;
            };
            REQUIRE(same(kv.k, right_.k.view()));
            REQUIRE(same(kv.v, right_.v.view()));
        }
    }

    void check_counters(Index visible)
    {
        const KvCounters counters = cache_->counters();
        CHECK(counters.reserved == memory_.reserved);
        CHECK(counters.peak == memory_.peak);
        CHECK(counters.allocations == memory_.allocations);
        CHECK(counters.live <= counters.reserved);
        const Index row = layers * bytes_per_token(cache_->geometry());
        const Index fixed = visible ? layers * bytes_of_static_scales(cache_->geometry()) : 0;
        if (kind_ != "paged") CHECK(counters.live == visible * row + fixed);
        if (kind_ == "paged") check_pages(counters.live, row, fixed);
    }

    // Every used block has as many references as lists that name it, and the free ones are all others.
    void check_pages(Index live, Index row, Index fixed)
    {
        const auto& paged = dynamic_cast<const PagedCache&>(*cache_);
        std::vector<Index> users(at(pool_blocks)), rows(at(pool_blocks));
        for (Index b = 0; b < static_cast<Index>(model_.size()); ++b) {
            Index left = cache_->lengths()[at(b)];
            for (const Index used : paged.blocks_of(b)) {
                ++users[at(used)];
                rows[at(used)] = std::max(rows[at(used)], std::min(block, left));
                left -= block;
            }
            REQUIRE(left <= 0);
        }
        const PageCounters pages = paged.pages();
        const Index total = std::accumulate(rows.begin(), rows.end(), Index{0});
        CHECK(pages.free_blocks == std::ranges::count(users, 0));
        CHECK(pages.shared_blocks == std::ranges::count_if(users, [](Index n) { return n > 1; }));
        CHECK(live == total * row + fixed);
        CHECK(pages.wasted_rows == (pool_blocks - pages.free_blocks) * block - total);
    }

    // Fails first at every allocation there is, and each time nothing may have changed.
    template <class Change> bool starved_then_done(Change change)
    {
        const bool starve = random_.integer(0, 7) == 0;
        for (Index calls = 0; starve; ++calls) {
            fail_new_after(calls);
            try {
                change();
                fail_new_after(-1);
                return true;
            } catch (const std::bad_alloc&) {
                fail_new_after(-1);
                check();
            } catch (...) {
                fail_new_after(-1);
                throw;
            }
        }
        change();
        return true;
    }

    void append(bool abandon)
    {
        std::vector<Index> n;
        std::vector<std::vector<Index>> longer = model_;
        Index longest = 0;
        for (std::vector<Index>& row : longer) {
            n.push_back(random_.integer(0, 3) == 0 ? 0 : random_.integer(1, 6));
            longest = std::max(longest, n.back());
            for (Index i = 0; i < n.back(); ++i) row.push_back(random_.integer(0, types - 1));
        }
        const Index before_copied = cache_->counters().copied;
        try {
            starved_then_done([&] { cache_->begin_step(n); });
        } catch (const std::length_error&) { // it does not fit: nothing has changed
            CHECK(kind_ != "concat");
            CHECK(kind_ != "ring");
            CHECK(cache_->counters().copied == before_copied);
            return check();
        }
        for (Index layer = 0; layer < layers; ++layer)
            cache_->write(layer, batch(longer, n, longest, layer, k_), batch(longer, n, longest, layer, v_));
        if (abandon) return cache_->abandon_step();
        cache_->end_step();
        model_ = longer;
    }

    Tensor batch(const std::vector<std::vector<Index>>& rows, const std::vector<Index>& n, Index longest, Index layer,
                 const Tensor& of)
    {
        Tensor t({static_cast<Index>(rows.size()), Hkv, longest, of.extent(3)});
        for (std::size_t b = 0; b < rows.size(); ++b)
            for (Index i = 0; i < n[b]; ++i)
                for (Index h = 0; h < Hkv; ++h)
                    std::ranges::copy(of.row(0, h, (rows[b][rows[b].size() - at(n[b] - i)] + layer) % types),
                                      t.row(static_cast<Index>(b), h, i).begin());
        return t;
    }

    void truncate()
    {
        std::vector<Index> lengths;
        for (const std::vector<Index>& row : model_) {
            const Index length = static_cast<Index>(row.size());
            const Index choice[] = {0, length, length + 2, random_.integer(0, length), std::max<Index>(0, length - 1)};
            lengths.push_back(choice[random_.integer(0, 4)]);
        }
        try {
            starved_then_done([&] { cache_->truncate(lengths); });
        } catch (const std::length_error&) {
            CHECK(kind_ == "ring"); // what was evicted does not come back
            return check();
        }
        for (std::size_t b = 0; b < model_.size(); ++b) model_[b].resize(std::min(model_[b].size(), at(lengths[b])));
    }

    void select()
    {
        std::vector<Index> rows(at(random_.integer(1, 4)));
        for (Index& row : rows) row = random_.integer(0, static_cast<Index>(model_.size()) - 1);
        std::vector<std::vector<Index>> moved;
        for (const Index row : rows) moved.push_back(model_[at(row)]);
        starved_then_done([&] { cache_->select(rows); });
        model_ = moved;
    }

    void reset()
    {
        cache_->reset();
        for (std::vector<Index>& row : model_) row.clear();
    }

    // Wrong calls of every sort.
    void refuse()
    {
        const Index B = static_cast<Index>(model_.size());
        const std::vector<Index> too_few(at(B - 1), 1), negative(at(B), -1), wrong_row{B};
        CHECK_THROWS_AS(cache_->begin_step(too_few), std::invalid_argument);
        CHECK_THROWS_AS(cache_->begin_step(negative), std::invalid_argument);
        CHECK_THROWS_AS(cache_->truncate(negative), std::invalid_argument);
        CHECK_THROWS_AS(cache_->select(wrong_row), std::invalid_argument);
        CHECK_THROWS_AS(cache_->end_step(), std::logic_error);
        CHECK_THROWS_AS(cache_->write(0, Tensor({B, Hkv, 1, D}), Tensor({B, Hkv, 1, Dv})), std::logic_error);
        const std::vector<Index> none(at(B), 0);
        cache_->begin_step(none);
        CHECK_THROWS_AS(cache_->write(0, Tensor({B, Hkv + 1, 1, D}), Tensor({B, Hkv, 1, Dv})), std::invalid_argument);
        CHECK_THROWS_AS(cache_->write(layers, Tensor({B, Hkv, 1, D}), Tensor({B, Hkv, 1, Dv})), std::invalid_argument);
        CHECK_THROWS_AS(cache_->select(none), std::logic_error);
        CHECK_THROWS_AS(cache_->truncate(none), std::logic_error);
        CHECK_THROWS_AS(cache_->begin_step(none), std::logic_error);
        cache_->abandon_step();
    }

    Random random_;
    Tensor k_, v_;
    Uncached right_;
    TestMemory memory_;
    std::string_view kind_;
    std::unique_ptr<KvCache> cache_;
    std::vector<std::vector<Index>> model_;
};

} // namespace

TEST_CASE("append, truncate, select, reset: every kind in every storage type is what a plain list of tokens is")
{
    for (const CacheKind& kind : cache_kinds())
        for (const Storage& storage : every_storage()) {
            INFO(kind.name << " " << name(storage));
            Beside beside(kind, storage, 11);
            for (int i = 0; i < 150; ++i) {
                INFO("operation " << i);
                beside.random_operation();
                beside.check();
            }
        }
}

TEST_CASE("10,000 random operations on a small pool: no block lost, none shared by mistake, nothing leaked")
{
    Beside beside(cache_kind("paged"), {DType::f16, Scaling::none}, 12);
    for (int i = 0; i < 10000; ++i) {
        INFO("operation " << i);
        beside.random_operation();
        beside.check();
    }
    beside.cache().reset();
    CHECK(dynamic_cast<PagedCache&>(beside.cache()).pages().free_blocks == pool_blocks);
}
