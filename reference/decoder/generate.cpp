#include "reference/decoder/generate.h"

#include "reference/decoder/sampling.h"
#include "reference/decoder/session.h"
#include "reference/decoder/tokenizer.h"
#include <algorithm>
#include <stdexcept>
#include <utility>

namespace headroom {

std::unique_ptr<KvCache> make_cache(const DecoderConfig& config, Index sequences, const CacheChoice& choice)
{
    KvGeometry geometry = cache_geometry(config, sequences, choice.type);
    geometry.scaling = choice.scaling;
    geometry.scales = choice.scales;
    return cache_kind(choice.kind).make(geometry, choice.options);
}

void require_context(const Decoder& model, const GenerationSettings& settings, Index tokens, const std::string& what)
{
    const Index context = model.config.max_length;
    if (settings.cache && settings.cache->options.positions == RingPositions::in_cache) {
        const CacheOptions& o = settings.cache->options;
        if (o.sinks > context || o.window > context - o.sinks)
            throw std::invalid_argument(std::to_string(o.sinks) + " sinks and a window of " + std::to_string(o.window) +
                                        " tokens are more positions than the model's " + std::to_string(context));
    } else if (tokens > context) {
        throw std::invalid_argument(what + "; the model's is " + std::to_string(context));
    }
}

namespace {

Index longest(const TokenRows& rows)
{
    Index most = 0;
    for (const auto& row : rows) most = std::max(most, static_cast<Index>(row.size()));
    return most;
}

} // namespace

Generation generate(const Decoder& model, std::vector<std::vector<int>> prompts, const GenerationSettings& settings,
                    const Backend& backend)
{
    for (const auto& prompt : prompts)
        if (prompt.empty()) throw std::invalid_argument("a prompt has no token, not even BOS");
    if (settings.steps < 0 || settings.chunk < 0) throw std::invalid_argument("steps and chunk must not be negative");
    const Index prompt_length = longest(prompts), last_length = prompt_length + std::max<Index>(settings.steps - 1, 0);
    require_context(model, settings, last_length,
                    "a prompt of " + std::to_string(prompt_length) + " tokens and " + std::to_string(settings.steps) +
                        " steps need a context of " + std::to_string(last_length) + " tokens");

    Session session(model, prompts.size(), settings, backend);
    for (Index from = 0; from < prompt_length; from += session.longest_pass())
        session.pass(piece(prompts, from, std::min(prompt_length, from + session.longest_pass())), true);

    Generation result{.tokens = std::move(prompts), .steps = {}};
    Random random(settings.seed);
    std::vector<bool> resting(result.tokens.size(), false);
    for (Index step = 0; step < settings.steps; ++step) {
        TokenRows added(result.tokens.size());
        for (std::size_t b = 0; b < added.size(); ++b) {
            if (resting[b]) continue;
            const int token = sample(session.logits(b), settings.temperature, settings.top_p, random);
            added[b] = {token};
            result.tokens[b].push_back(token);
            if (settings.on_token) settings.on_token(b, token);
            resting[b] = settings.stop_at_end && token == Tokenizer::end;
        }
        if (step + 1 == settings.steps || std::ranges::count(resting, false) == 0) break;
        session.pass(added, false);
    }
    result.steps = session.steps();
    return result;
}

} // namespace headroom
