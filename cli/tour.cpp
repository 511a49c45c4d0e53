// headroom tour: one model, one prompt, and everything that attention and its cache cost on the way.
#include "cli/command.h"

#include "cli/terminal.h"
#include "experiments/cache_race.h"
#include "experiments/layer_shapes.h"
#include "experiments/lockstep.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace headroom {
namespace {

struct Settings {
    std::string model, tokenizer, prompt = "Once upon a time";
    Index steps = 48;
};

class Tour {
public:
    explicit Tour(const Settings& settings)
        : settings_(settings), model_(load_model(settings.model, settings.tokenizer)),
          prompt_(model_.tokenizer.encode(settings.prompt)), backend_(reference_backend())
    {
        const Index needed = static_cast<Index>(prompt_.size()) + settings.steps - 1;
        if (needed > model_.decoder.config.max_length)
            throw std::invalid_argument(fmt::format("the tour needs a context of {} tokens; the model's is {}", needed,
                                                    model_.decoder.config.max_length));
    }

    void run()
    {
        fmt::print("\n  {}\n  {}\n", out_.strong("Headroom: what attention costs while a model writes"),
                   out_.dim("Every number is counted or timed in this run; what is computed says so."));
        show_model();
        show_layer();
        show_decoding();
        race_ = cache_race(model_.decoder, race_settings(), backend_);
        show_caches();
        show_work();
        show_times();
        show_text();
    }

private:
    void say(const std::string& text) const { fmt::print("  {}\n", out_.dim(text)); }

    void show_model() const
    {
        const DecoderConfig& c = model_.decoder.config;
        fmt::print("{}", out_.heading(1, "The model"));
        fmt::print("  {}: {} layers, width {}, {} weights, context {}\n", out_.strong(model_.name), c.layers, c.width,
                   count_text(parameters(c, model_.decoder.classifier.empty())), c.max_length);
        fmt::print("  {} = {} query heads on {} key/value heads of {} numbers\n\n", out_.accent(sharing(c)), c.q_heads,
                   c.kv_heads, c.head_dim);
        const Index group = c.q_heads / c.kv_heads;
        if (c.q_heads > 16) return;
        std::string queries = "    query head  ", keys = "    reads KV    ";
        for (Index h = 0; h < c.q_heads; ++h) {
            queries += pad_left(std::to_string(h), 3);
            keys += pad_left(std::to_string(h / group), 3);
            if ((h + 1) % group == 0 && h + 1 < c.q_heads) {
                queries += " │";
                keys += " │";
            }
        }
        fmt::print("{}\n{}\n\n", queries, out_.accent(keys));
        say("Heads that share are neighbours: head h reads KV head h / group size.");
    }

    void show_layer() const
    {
        fmt::print("{}", out_.heading(2, "The prompt goes through one layer"));
        fmt::print("  \"{}\" is {} tokens, with the mark of the beginning.\n\n", settings_.prompt, prompt_.size());
        fmt::print("  {}\n", out_.dim("tensor          axes         shape             what it is"));
        for (const NamedShape& each : layer_shapes(model_.decoder, prompt_, backend_))
            fmt::print("  {} {} {} {}\n", pad_right(each.name, 15), pad_right(each.axes, 12),
                       out_.accent(pad_right(to_text(each.shape), 17)), each.meaning);
        fmt::print("\n");
        say("B sequences, H query heads, Hkv KV heads, L new tokens, S tokens seen,");
        say("D numbers per head, E width. Look at k and v: they have Hkv heads, q has H.");
    }

    void show_decoding()
    {
        LockstepSettings how{.prompt = settings_.prompt, .steps = settings_.steps};
        how.cache.options.max_length = 128 + settings_.steps;
        lanes_ = lockstep(how, backend_);
        fmt::print("{}", out_.heading(3, "Then one token at a time: the keys of one layer"));
        fmt::print("  {}\n", out_.dim("           N   past              new                  result"));
        for (const LockstepLane& lane : lanes_) {
            const std::vector<ShapeRow>& rows = lane.shapes;
            std::vector<std::size_t> shown{0, 1, rows.size() - 1};
            if (rows.size() < 4) shown.resize(rows.size());
            for (const std::size_t i : shown)
                if (i < rows.size())
                    fmt::print("  {} {} {} {} {} {}\n",
                               out_.accent(pad_right(i == 0   ? lane.name
                                                     : i == 1 ? ""
                                                              : "   …",
                                                     6)),
                               pad_left(std::to_string(rows[i].length), 5), pad_left(to_text(rows[i].past), 17),
                               pad_right("+ " + to_text(rows[i].added), 17), "= ", to_text(rows[i].result));
        }
        fmt::print("\n");
        say("[B, Hkv, N-1, D] and one new row make [B, Hkv, N, D]; values likewise.");

        fmt::print("{}", out_.heading(4, "What sharing heads saves"));
        fmt::print("  {}\n",
                   out_.dim(fmt::format("           KV heads   a token adds   step N = {} reads",
                                        lanes_.front().shapes.empty() ? 0 : lanes_.front().shapes.back().length)));
        double most = 0;
        for (const LockstepLane& lane : lanes_) most = std::max(most, static_cast<double>(lane.bytes_read_last_step));
        for (const LockstepLane& lane : lanes_)
            fmt::print("  {} {} {} {}   {}\n", out_.accent(pad_right(lane.name, 6)),
                       pad_left(std::to_string(lane.config.kv_heads), 12),
                       pad_left(bytes_text(lane.bytes_per_token), 14),
                       pad_left(bytes_text(lane.bytes_read_last_step), 17),
                       out_.accent(bar(static_cast<double>(lane.bytes_read_last_step), most, 20)));
        const HeadSaving saving = head_saving(32, 4, 64, 256);
        fmt::print("\n  A larger model with 32 query heads (one layer, 256 tokens, D = 64, f32):\n");
        fmt::print("  32 KV heads allocate {}, 4 KV heads {}: {} less.\n\n", bytes_text(saving.all_heads_bytes),
                   bytes_text(saving.shared_bytes), out_.strong(fmt::format("{:.1f} %", saving.saved_percent)));
        say("Each decode step reads the whole cache: fewer KV heads, fewer bytes.");
    }

    CacheRaceSettings race_settings() const
    {
        CacheRaceSettings race{.prompt = prompt_, .steps = settings_.steps};
        race.options.max_length = static_cast<Index>(prompt_.size()) + settings_.steps;
        return race;
    }

    void show_caches() const
    {
        fmt::print("{}", out_.heading(5, "The same text through every cache"));
        const auto row = [](const std::string& name, const std::array<std::string, 5>& columns,
                            const std::string& text) {
            std::string line = pad_right(name, 13);
            for (const std::string& column : columns) line += pad_left(column, 11);
            return line + "  " + text;
        };
        fmt::print("  {}\n", out_.dim(row("", {"live", "reserved", "peak", "copied", "allocs"}, "text")));
        for (const RaceLane& lane : race_) {
            if (lane.name == "none") continue;
            const KvCounters& end = lane.run.steps.back().bytes;
            fmt::print("  {}\n", row(out_.accent(lane.name),
                                     {bytes_text(end.live), bytes_text(end.reserved), bytes_text(end.peak),
                                      bytes_text(lane.copied), count_text(end.allocations)},
                                     lane.same_text ? "same" : "own"));
        }
        fmt::print("\n  Old tokens copied, step by step:\n");
        for (const RaceLane& lane : race_) {
            if (lane.name == "none") continue;
            std::vector<double> copied;
            for (const GenerationStep& step : lane.run.steps) copied.push_back(static_cast<double>(step.bytes.copied));
            fmt::print("  {} {}\n", pad_right(lane.name, 12), out_.accent(spark(copied, 62)));
        }
        const CacheOptions options = race_settings().options;
        fmt::print("\n");
        say("live: visible now; reserved: allocated now; peak: old and new together.");
        say("concat copies everything at each step; growing copies now and then (here it");
        say(fmt::format("begins with {} slots); preallocated and paged never. ring keeps {} + {}", options.initial,
                        options.sinks, options.window));
        say("tokens and forgets the rest: its bytes stay, and its text may differ.");
    }

    const RaceLane& lane(std::string_view name) const { return *std::ranges::find(race_, name, &RaceLane::name); }

    void show_work() const
    {
        const RaceLane &with = lane("preallocated"), &without = lane("none");
        fmt::print("{}", out_.heading(6, "With and without a cache"));
        fmt::print("  {}\n", out_.dim("multiply-adds      with a cache   computing all again"));
        const std::size_t n = with.run.steps.size();
        const double most = static_cast<double>(without.run.steps.back().work.total());
        std::vector<std::size_t> shown{0, 1, n / 4, n / 2, n - 1};
        shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
        for (const std::size_t i : shown) {
            if (i >= n) continue;
            const Index a = with.run.steps[i].work.total(), b = without.run.steps[i].work.total();
            fmt::print("  {} {} {}   {}\n",
                       pad_right(i == 0 ? "prompt" : fmt::format("N = {}", with.run.steps[i].length), 10),
                       pad_left(count_text(a), 20), pad_left(count_text(b), 21),
                       out_.accent(bar(static_cast<double>(b), most, 20)));
        }
        fmt::print("  {} {} {}\n\n", pad_right("in all", 10), pad_left(count_text(with.work.total()), 20),
                   pad_left(count_text(without.work.total()), 21));
        fmt::print("  The cache saves {} of the multiply-adds; the text is {}.\n\n",
                   out_.strong(fmt::format("{:.1f} %", 100 * (1 - static_cast<double>(with.work.total()) /
                                                                      static_cast<double>(without.work.total())))),
                   with.run.tokens == without.run.tokens ? "the same" : "NOT the same");
        say("Without a cache each step computes the rows of all earlier tokens again:");
        say("their projections, scores and feed-forward. The cache keeps their K and V.");
    }

    void show_times() const
    {
        const RaceLane &with = lane("preallocated"), &without = lane("none");
        const auto row = [&](const std::string& name, std::size_t tokens, double ms) {
            fmt::print("  {} {} {} {}\n", pad_right(name, 26), pad_left(std::to_string(tokens), 7),
                       pad_left(fmt::format("{:.1f}", ms), 11),
                       pad_left(tokens ? fmt::format("{:.2f}", ms / static_cast<double>(tokens)) : "", 15));
        };
        fmt::print("{}", out_.heading(7, "Where the time goes"));
        fmt::print("  {}\n", out_.dim("phase                       tokens          ms    ms per token"));
        row("prefill", prompt_.size(), with.prefill_ms);
        row("decode, cache", with.run.steps.size() - 1, with.decode_ms);
        row("decode, computing again", without.run.steps.size() - 1, without.decode_ms);
        fmt::print("\n");
        say("This is the reference: double precision, one core, written to be read.");
    }

    void show_text() const
    {
        fmt::print("{}", out_.heading(8, "And this is what it wrote"));
        fmt::print("{}", flowing_text(model_.tokenizer.decode(lane("preallocated").run.tokens.front()), 72, "  "));
        fmt::print("\n");
        say("Next: headroom generate --prompt \"...\" · headroom --help");
        fmt::print("\n");
    }

    Settings settings_;
    Model model_;
    std::vector<int> prompt_;
    Backend backend_;
    Terminal out_;
    std::vector<LockstepLane> lanes_;
    std::vector<RaceLane> race_;
};

} // namespace

Action declare_tour(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option("--model", s->model, "checkpoint (llama2.c or safetensors), or a built-in model");
    app.add_option("--tokenizer", s->tokenizer, "its tokenizer; default: tokenizer.bin beside it");
    app.add_option("--prompt", s->prompt, "text to continue")->capture_default_str();
    app.add_option("--steps", s->steps, "new tokens")->check(CLI::Range(2, 256))->capture_default_str();
    return [s] {
        Tour(*s).run();
        return 0;
    };
}

} // namespace headroom
