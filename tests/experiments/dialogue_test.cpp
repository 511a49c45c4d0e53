// A dialogue keeps its cache: the same tokens as computing everything again at each turn, for a fraction of the work.
#include "experiments/dialogue.h"
#include "reference/decoder/sampling.h"
#include "tests/decoder/tiny.h"
#include "tests/support/catch.h"

using namespace headroom;

namespace {

// The tiny decoder, and words for it: the mark of the beginning, that of the end, then bytes as far as they go.
Model tiny_model()
{
    std::vector<Tokenizer::Piece> pieces;
    for (int id = 0; id < 40; ++id)
        pieces.push_back({id < 3    ? std::string("<").append(std::to_string(id)).append(">")
                          : id == 3 ? " "
                                    : std::string(1, char('a' + id - 4)),
                          0});
    return {"tiny", tiny_decoder(), Tokenizer(std::move(pieces))};
}

const std::vector<std::string> lines{"abc", "", "h", "klmnopq", ""};

GenerationSettings settings(const std::string& kind, DType type, double temperature = 0)
{
    GenerationSettings s{.steps = 5, .cache = CacheChoice{.kind = kind, .type = type}};
    CacheOptions& options = s.cache->options;
    options.max_length = 64;
    options.initial = 3;
    options.block = 4;
    options.window = kind == "ring" ? 9 : 0;
    options.sinks = kind == "ring" ? 2 : 0;
    options.longest_append = 4;
    s.temperature = temperature;
    s.seed = 4;
    return s;
}

Backend backend(const GenerationSettings& s)
{
    Backend b = reference_backend();
    if (s.cache) {
        b.options.window = s.cache->options.window;
        b.options.sinks = s.cache->options.sinks;
    }
    return b;
}

struct Told {
    std::vector<int> tokens;
    std::vector<Turn> turns;
};
Told tell(const Model& model, const GenerationSettings& s, const Backend& b, bool forgetful = false)
{
    Dialogue dialogue(model, s, b, forgetful);
    Told told;
    for (const std::string& line : lines) told.turns.push_back(dialogue.say(line));
    told.tokens = dialogue.tokens();
    return told;
}

// The whole dialogue computed anew for every single token: no cache, nothing shared with Dialogue but the dice.
std::vector<int> told_from_scratch(const Model& model, const GenerationSettings& s, const Backend& b)
{
    std::vector<int> tokens;
    Random random(s.seed);
    for (const std::string& line : lines) {
        std::vector<int> words = model.tokenizer.encode(line);
        const bool fresh = tokens.empty() || tokens.back() == Tokenizer::end;
        tokens.insert(tokens.end(), words.begin() + (fresh ? 0 : 1), words.end());
        for (Index step = 0; step < s.steps; ++step) {
            const Logits all = logits_without_cache(model.decoder, tokens, s.cache->type, b.options);
            tokens.push_back(sample(all.back(), s.temperature, s.top_p, random));
            if (tokens.back() == Tokenizer::end) break;
        }
    }
    return tokens;
}

} // namespace

TEST_CASE("every kind of cache, kept between turns, tells what is told when all is computed again for each token")
{
    const Model model = tiny_model();
    for (const CacheKind& kind : cache_kinds())
        for (const DType type : {DType::f32, DType::bf16, DType::i8})
            for (const double temperature : {0.0, 1.5}) {
                const GenerationSettings s = settings(std::string(kind.name), type, temperature);
                const Backend b = backend(s);
                INFO(kind.name << ", " << name(type) << ", temperature " << temperature);
                const Told kept = tell(model, s, b);
                CHECK(kept.tokens == told_from_scratch(model, s, b));
                CHECK(tell(model, s, b, true).tokens == kept.tokens);
            }
}

TEST_CASE("with the cache no token is computed twice, and a server that forgets computes all earlier turns again")
{
    const Model model = tiny_model();
    const GenerationSettings s = settings("growing", DType::f32);
    const Backend b = backend(s);
    const Told kept = tell(model, s, b), forgotten = tell(model, s, b, true);
    const Index row = 2 * 2 * 2 * 4 * 4; // K and V, layers, KV heads, D, bytes
    Index length = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Turn &turn = kept.turns[i], &other = forgotten.turns[i];
        CHECK(turn.past_length == length);
        length = turn.length();
        CHECK(turn.recomputed() == 0);
        CHECK(other.recomputed() == turn.stateless());
        CHECK(turn.stateless() == turn.past_length);
        CHECK(turn.bytes.live == length * row);
        CHECK(other.bytes.live == turn.bytes.live);
        CHECK((i == 0 ? turn.work.linear == other.work.linear : turn.work.linear < other.work.linear));
    }
    CHECK(length == static_cast<Index>(kept.tokens.size()));

    // A cache that copies everything at each pass says so for the whole turn.
    for (const Turn& turn : tell(model, settings("concat", DType::f32), b).turns) {
        Index held = turn.past_length, copied = 0;
        if (!turn.prompt.empty()) copied += held;
        held += static_cast<Index>(turn.prompt.size());
        for (std::size_t i = 0; i < turn.answer.size(); ++i) copied += held++;
        CHECK(turn.bytes.copied == copied * row);
    }

    GenerationSettings none = s;
    none.cache.reset();
    const Told recomputed = tell(model, none, b);
    CHECK(recomputed.tokens == kept.tokens);
    CHECK(recomputed.turns.back().recomputed() > recomputed.turns.back().stateless());
}

TEST_CASE("a turn that is undone never was, whatever the cache")
{
    const Model model = tiny_model();
    for (const CacheKind& kind : cache_kinds()) {
        INFO(kind.name);
        const GenerationSettings s = settings(std::string(kind.name), DType::f32);
        const Backend b = backend(s);
        Dialogue dialogue(model, s, b);
        CHECK_THROWS_WITH(dialogue.undo(), containing("no turn"));
        Index recomputed = 0;
        for (const std::string& line : lines) {
            dialogue.say("zyxwvut");
            recomputed += dialogue.undo();
            dialogue.say(line);
        }
        CHECK(dialogue.tokens() == tell(model, s, b).tokens);
        CHECK((recomputed > 0) == (kind.name == "ring")); // whose oldest slots the undone turn had overwritten
        for (std::size_t i = 0; i < lines.size(); ++i) dialogue.undo();
        CHECK(dialogue.tokens().empty());
        CHECK(dialogue.bytes().live == 0);
        for (const std::string& line : lines) dialogue.say(line);
        dialogue.reset();
        CHECK(dialogue.bytes().live == 0);
        for (const std::string& line : lines) dialogue.say(line);
        CHECK(dialogue.tokens() == tell(model, s, b).tokens);
    }
}

TEST_CASE("an answer ends where the context does, and a line that does not fit is refused and changes nothing")
{
    const Model model = tiny_model(); // of 64 tokens
    GenerationSettings s = settings("paged", DType::f32);
    const Backend b = backend(s);
    s.steps = 40;
    Dialogue dialogue(model, s, b);
    std::vector<int> before;
    bool full = false;
    for (int turn = 0; turn < 80 && !full; ++turn) full = dialogue.say("").end == TurnEnd::context;
    CHECK(full);
    CHECK(dialogue.tokens().size() == 64);
    before = dialogue.tokens();
    CHECK_THROWS_AS(dialogue.say("a"), std::length_error);
    CHECK_THROWS_AS(dialogue.say(""), std::length_error);
    CHECK(dialogue.tokens() == before);
    dialogue.undo();
    CHECK(dialogue.tokens().size() < 64);

    s.cache->options.max_length = 12;
    Dialogue shorter(model, s, b);
    CHECK_THROWS_AS(shorter.say("abcdefghijk"), std::length_error);
    CHECK(shorter.tokens().empty());
    const Turn turn = shorter.say("abcd");
    CHECK((turn.length() == 12 || turn.end == TurnEnd::end_token));
}

TEST_CASE("a ring with in-cache positions talks on beyond the model's context, at constant bytes")
{
    const Model model = tiny_model();
    GenerationSettings s = settings("ring", DType::f32);
    s.cache->options.positions = RingPositions::in_cache;
    const Backend b = backend(s);
    Dialogue dialogue(model, s, b), forgetful(model, s, b, true);
    for (int turn = 0; turn < 20; ++turn) {
        dialogue.say("abc");
        forgetful.say("abc");
    }
    CHECK(dialogue.tokens().size() > 64);
    CHECK(dialogue.tokens() == forgetful.tokens());
    CHECK(dialogue.limit() == 0);
    CHECK(dialogue.bytes().live == (2 + 9) * 2 * 2 * 2 * 4 * 4);
}

TEST_CASE("a text that has ended is followed by the mark of a beginning, in the same cache")
{
    const Model model = tiny_model();
    GenerationSettings s = settings("growing", DType::f32, 2.0);
    const Backend b = backend(s);
    bool seen = false;
    for (s.seed = 1; s.seed < 60 && !seen; ++s.seed) {
        Dialogue dialogue(model, s, b);
        if (dialogue.say("ab").end != TurnEnd::end_token) continue;
        seen = true;
        CHECK(dialogue.tokens().back() == Tokenizer::end);
        CHECK(dialogue.say("c").prompt == model.tokenizer.encode("c"));
    }
    CHECK(seen);
}
