#include "experiments/record_run.h"

#include "reference/decoder/decoder.h"
#include "reference/decoder/generate.h"
#include "reference/decoder/sampling.h"
#include "reference/recording/recorded.h"
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

// What all lanes are given: the prompt at once, then one token a step.
struct Diet {
    std::vector<int> prompt, decoded;
};

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

class LaneRun {
public:
    LaneRun(const Model& model, const RecordRunSettings& s, const Backend& backend, Index tokens)
        : model_(model), settings_(s), backend_(backend)
    {
        CacheChoice choice{.kind = s.cache, .type = s.kv_type, .options = s.options};
        if (choice.options.max_length == 0) choice.options.max_length = tokens;
        choice.options.initial = std::min(choice.options.initial, choice.options.max_length);
        cache_ = make_cache(model.decoder.config, 1, choice);
        cache_->record_events(true);
        lane_ = {.name = lower(sharing(model.decoder.config)),
                 .cache = s.cache,
                 .detail = model.name,
                 .q_heads = model.decoder.config.q_heads,
                 .geometry = cache_->geometry(),
                 .steps = {}};
    }

    // One pass of the model, its attention wrapped; returns the logits behind the last token.
    std::vector<double> pass(const std::vector<int>& tokens, int before)
    {
        const Index past = cache_->lengths()[0], longest = cache_->longest_append();
        if (static_cast<Index>(tokens.size()) > longest)
            throw std::invalid_argument("a " + settings_.cache + " cache takes " + std::to_string(longest) +
                                        " tokens at once, the prompt has " + std::to_string(tokens.size()) +
                                        ": shorten the text");
        RecordedStep step{.past = past,
                          .added = static_cast<Index>(tokens.size()),
                          .token = model_.tokenizer.decode_one(tokens.back(), before),
                          .layers = {},
                          .counters = {},
                          .events = {},
                          .slot = {},
                          .position = {}};
        Backend watched = backend_;
        watched.attention = recorded(backend_.attention, step.layers, {settings_.layer});
        CachedKv memory(*cache_);
        const auto begin = std::chrono::steady_clock::now();
        const Tensor hidden = forward(model_.decoder, following({tokens}, std::vector<Index>{past}), memory, watched);
        step.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        record_slots(cache_->view(settings_.layer), step);
        step.counters = cache_->counters();
        step.events = cache_->take_events();
        lane_.steps.push_back(std::move(step));
        return logits(model_.decoder, hidden.row(hidden.extent(0) - 1), backend_);
    }

    Lane take() { return std::move(lane_); }

private:
    const Model& model_;
    const RecordRunSettings& settings_;
    const Backend& backend_;
    std::unique_ptr<KvCache> cache_;
    Lane lane_;
};

Lane run(const Model& model, const RecordRunSettings& s, const Backend& backend, Diet& diet, bool chooses)
{
    const Index tokens = static_cast<Index>(diet.prompt.size()) + s.steps;
    if (tokens > model.decoder.config.max_length)
        throw std::invalid_argument("the prompt and " + std::to_string(s.steps) + " steps need a context of " +
                                    std::to_string(tokens) + " tokens; the model's is " +
                                    std::to_string(model.decoder.config.max_length));
    if (s.layer < 0 || s.layer >= model.decoder.config.layers)
        throw std::invalid_argument("the model has layers 0 to " + std::to_string(model.decoder.config.layers - 1) +
                                    ", no layer " + std::to_string(s.layer));
    LaneRun lane(model, s, backend, tokens);
    std::vector<double> logits = lane.pass(diet.prompt, Tokenizer::begin);
    for (Index i = 0; i < s.steps; ++i) {
        if (chooses) diet.decoded.push_back(most_likely(logits));
        const std::size_t n = static_cast<std::size_t>(i);
        logits = lane.pass({diet.decoded[n]}, n ? diet.decoded[n - 1] : diet.prompt.back());
    }
    return lane.take();
}

} // namespace

Recording record_run(const RecordRunSettings& s, const Backend& backend)
{
    if (s.models.empty() || s.steps < 0) throw std::invalid_argument("a run needs a model, and steps of at least 0");
    Recording recording{.title = "", .command = "", .lanes = {}};
    Diet diet;
    for (const std::string& name : s.models) {
        const Model model = load_model(name, s.tokenizer);
        const bool first = recording.lanes.empty();
        if (first) diet.prompt = model.tokenizer.encode(s.text);
        if (const int most = std::max(*std::ranges::max_element(diet.prompt),
                                      diet.decoded.empty() ? 0 : *std::ranges::max_element(diet.decoded));
            most >= model.decoder.config.vocabulary)
            throw std::invalid_argument("the models' vocabularies differ: " + name + " has no token " +
                                        std::to_string(most));
        Lane lane = run(model, s, backend, diet, first);
        const auto taken = [&](const std::string& wanted) {
            return std::ranges::any_of(recording.lanes, [&](const Lane& l) { return l.name == wanted; });
        };
        for (int n = 2; taken(lane.name); ++n) lane.name = lower(sharing(model.decoder.config)) + std::to_string(n);
        recording.lanes.push_back(std::move(lane));
        if (first) {
            recording.title = model.name + ", layer " + std::to_string(s.layer) + ": ";
            std::vector<int> all = diet.prompt;
            all.insert(all.end(), diet.decoded.begin(), diet.decoded.end());
            for (const char c : model.tokenizer.decode(all))
                recording.title += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return recording;
}

} // namespace headroom
