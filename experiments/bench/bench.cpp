#include "experiments/bench/bench.h"

#include "experiments/implementations.h"
#include "reference/tensor/random.h"
#include "reference/tensor/stored_row.h"
#include <algorithm>
#include <cstring>
#include <memory>

namespace headroom {
namespace {

constexpr Index page = 4096;

// Keys and values in several copies that are used in turn and together do not fit into the last-level cache.
class RotatingKv {
public:
    RotatingKv(const BenchCase& c, DType type, Index cache_bytes) : bytes_(c.B * c.Hkv * c.S * c.D * byte_size(type))
    {
        // Copies of one random pattern: what they hold does not change how long it takes.
        Random random(1);
        const Tensor numbers = random_uniform({pattern}, random, -1, 1);
        std::vector<std::byte> encoded(static_cast<std::size_t>(pattern * byte_size(type)));
        encode_row(type, numbers.values(), nullptr, 0, encoded.data());
        const Index beyond_cache = std::max<Index>(2, cache_bytes * 3 / 2 / (2 * bytes_) + 1);
        const Index copies = c.prefill() ? 1 : c.name == "tiny" ? 2 : beyond_cache;
        const Shape shape{c.B, c.Hkv, c.S, c.D};
        for (Index n = 0; n < 2 * copies; ++n) {
            memory_.emplace_back(static_cast<std::byte*>(::operator new[](size(), std::align_val_t{page})));
            for (std::size_t at = 0; at < size(); at += encoded.size())
                std::memcpy(memory_.back().get() + at, encoded.data(), std::min(encoded.size(), size() - at));
        }
        for (Index n = 0; n < copies; ++n)
            views_.push_back({.k = dense_view(memory_[at(2 * n)].get(), shape, type),
                              .v = dense_view(memory_[at(2 * n + 1)].get(), shape, type)});
    }

    Index copies() const { return static_cast<Index>(views_.size()); }
    Index bytes() const { return 2 * bytes_; } // of one copy of keys and values
    const KvView& view(Index n) const { return views_[at(n)]; }
    std::vector<std::span<const std::byte>> pieces(int launch) const
    {
        const KvView& kv = view(launch % copies());
        return {{kv.k.data, size()}, {kv.v.data, size()}};
    }

private:
    static constexpr Index pattern = 1000003;
    static std::size_t at(Index n) { return static_cast<std::size_t>(n); }
    std::size_t size() const { return static_cast<std::size_t>(bytes_); }
    struct Free {
        void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{page}); }
    };
    Index bytes_;
    std::vector<std::unique_ptr<std::byte[], Free>> memory_;
    std::vector<KvView> views_;
};

Index needed_flops(const BenchCase& c)
{
    const Index pairs =
        c.prefill() ? c.L * (c.L + 1) / 2 + c.L * (c.S - c.L) : c.S; // of a query and a key that it sees
    return 4 * c.B * c.H * c.D * pairs;
}

BenchRow measure(const BenchCase& c, DType type, const BenchSettings& settings)
{
    reset_peak_memory();
    const std::vector<Implementation> list = implementations({.threads = settings.threads});
    const Implementation& implementation = find(list, settings.implementation);
    const RotatingKv kv(c, type, machine(settings.threads).last_level_cache_bytes);
    Random random(2);
    const StoredTensor q = store(random_uniform({c.B, c.H, c.L, c.D}, random, -2, 2), DType::f32);
    const std::vector<Index> lengths(static_cast<std::size_t>(c.B), c.S);

    std::vector<std::unique_ptr<PreparedAttention>> prepared;
    for (Index n = 0; n < kv.copies(); ++n) {
        AttentionProblem problem{.q = q.view(), .kv = kv.view(n), .options = {}};
        problem.kv.sequences = c.B;
        problem.kv.length = lengths.data();
        if (const std::string why = why_not(implementation.claims, problem); !why.empty())
            throw std::invalid_argument(c.name + ": " + implementation.name + " cannot compute this: " + why);
        prepared.push_back(implementation.prepare(problem));
    }

    BenchRow row{.case_name = c.name,
                 .impl = implementation.name,
                 .type = type,
                 .time = {},
                 .bytes = kv.bytes(),
                 .flops = needed_flops(c),
                 .peak_rss_bytes = 0};
    const auto launch = [&](int n) { prepared[static_cast<std::size_t>(n) % prepared.size()]->launch(); };
    const auto flops = static_cast<double>(row.flops), sample = std::min(flops, 4e9);
    row.time = alternate(
        launch,
        [&](int n) {
            if (c.prefill()) return arithmetic_ms(sample, settings.threads) * flops / sample;
            return read_ms(kv.pieces(n), settings.threads);
        },
        settings.alternation);
    row.peak_rss_bytes = peak_memory_bytes();
    return row;
}

} // namespace

std::vector<BenchRow> bench(const BenchCase& which, const BenchSettings& settings)
{
    std::vector<BenchRow> rows;
    for (const DType type : settings.type ? std::vector{*settings.type} : which.types) {
        settings.progress(which.name + " " + std::string(name(type)));
        rows.push_back(measure(which, type, settings));
    }
    return rows;
}

} // namespace headroom
