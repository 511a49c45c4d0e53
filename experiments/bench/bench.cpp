#include "experiments/bench/bench.h"

#include "experiments/bench/rotating_kv.h"
#include "experiments/implementations.h"
#include "reference/tensor/random.h"
#include <algorithm>
#include <memory>

namespace headroom {
namespace {

// One case made ready on several copies of its keys and values.
class Subject {
public:
    Subject(const BenchCase& c, DType type, const Implementation& implementation, int threads)
        : case_(c), threads_(threads), kv_({c.B, c.Hkv, c.S, c.D}, type, copies(c, type, threads)),
          lengths_(static_cast<std::size_t>(c.B), c.S)
    {
        Random random(2);
        q_ = store(random_uniform({c.B, c.H, c.L, c.D}, random, -2, 2), DType::f32);
        for (Index n = 0; n < kv_.copies(); ++n) {
            AttentionProblem problem{.q = q_.view(), .kv = kv_.view(n), .options = {}};
            problem.kv.sequences = c.B;
            problem.kv.length = lengths_.data();
            if (const std::string why = why_not(implementation.claims, problem); !why.empty())
                throw std::invalid_argument(c.name + ": " + implementation.name + " cannot compute this: " + why);
            prepared_.push_back(implementation.prepare(problem));
        }
    }
    Subject(const Subject&) = delete; // the problems point into it
    Subject& operator=(const Subject&) = delete;

    void launch(int n) const { prepared_[static_cast<std::size_t>(n) % prepared_.size()]->launch(); }

    // A decode has to read its keys and values, a prefill to multiply and add.
    double limit_ms(int n) const
    {
        if (!case_.prefill()) return read_ms(kv_.pieces(n % kv_.copies()), threads_);
        const auto all = static_cast<double>(needed_flops(case_)), sample = std::min(all, 4e9);
        return arithmetic_ms(sample, threads_) * all / sample;
    }

    Index bytes() const { return kv_.bytes(); }

private:
    static Index copies(const BenchCase& c, DType type, int threads)
    {
        if (c.prefill()) return 1;
        if (c.in_cache) return 2;
        return RotatingKv::copies_beyond(machine(threads).last_level_cache_bytes,
                                         2 * c.B * c.Hkv * c.S * c.D * byte_size(type));
    }

    BenchCase case_;
    int threads_;
    RotatingKv kv_;
    std::vector<Index> lengths_;
    StoredTensor q_;
    std::vector<std::unique_ptr<PreparedAttention>> prepared_;
};

} // namespace

std::vector<BenchRow> bench_together(std::span<const BenchCase> cases, DType type, const BenchSettings& settings)
{
    reset_peak_memory();
    const std::vector<Implementation> list = implementations({.threads = settings.threads});
    const Implementation& implementation = find(list, settings.implementation);
    std::vector<std::unique_ptr<Subject>> subjects;
    std::vector<Launch> launches; // limit, case, limit, case, …
    for (const BenchCase& c : cases) {
        const Subject& subject =
            *subjects.emplace_back(std::make_unique<Subject>(c, type, implementation, settings.threads));
        launches.push_back([&subject](int n) { return subject.limit_ms(n); });
        launches.push_back(timed([&subject](int n) { subject.launch(n); }));
    }
    const std::vector<Turns> turns = take_turns(launches, settings.alternation);

    std::vector<BenchRow> rows;
    for (std::size_t n = 0; n < cases.size(); ++n)
        rows.push_back({.case_name = cases[n].name,
                        .impl = implementation.name,
                        .type = type,
                        .time = timing(turns[2 * n + 1], turns[2 * n]),
                        .tokens = cases[n].B * cases[n].L,
                        .bytes = subjects[n]->bytes(),
                        .flops = needed_flops(cases[n]),
                        .peak_rss_bytes = peak_memory_bytes()});
    return rows;
}

std::vector<BenchRow> bench(const BenchCase& which, const BenchSettings& settings)
{
    std::vector<BenchRow> rows;
    for (const DType type : settings.type ? std::vector{*settings.type} : which.types) {
        settings.progress(which.name + " " + std::string(name(type)));
        rows.push_back(bench_together({&which, 1}, type, settings).front());
    }
    return rows;
}

} // namespace headroom
