// The models that ship: their text, their perplexity and the README's table, against the files themselves.
#include "tests/support/catch.h"

#include "experiments/shipped_models.h"
#include "reference/decoder/generate.h"
#include "reference/decoder/score.h"
#include "tests/support/shared_data.h"
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace headroom;

namespace {

const nlohmann::json& golden()
{
    static const auto json = nlohmann::json::parse(std::ifstream(test_data("models_golden.json")));
    return json;
}

std::string readme()
{
    std::ostringstream text;
    text << std::ifstream(models_folder() / "README.md").rdbuf();
    return text.str();
}

// "1,234" and "64.3%" as numbers.
double number(std::string cell)
{
    std::erase(cell, ',');
    return std::stod(cell);
}

// The cells of the table's row that begins with this model's name.
std::vector<std::string> row_of(const std::string& name)
{
    std::istringstream lines(readme());
    std::vector<std::string> cells;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `" + name + "` | ")) continue;
        std::istringstream row(line.substr(2));
        for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
        if (cells.size() >= 9) return cells; // another table names the file alone
        cells.clear();
    }
    FAIL("the README has no row for " << name);
    return cells;
}

} // namespace

TEST_CASE("ten models ship: trained with 8, 4, 2 and 1 KV heads, averaged, and averaged and trained further")
{
    CHECK(shipped_models() == std::vector<std::string>{"mha", "gqa4", "gqa2", "mqa", "gqa4-pooled", "gqa4-uptrained",
                                                       "gqa2-pooled", "gqa2-uptrained", "mqa-pooled", "mqa-uptrained"});
    Index bytes = 0;
    for (const std::string& name : shipped_models())
        bytes += static_cast<Index>(std::filesystem::file_size(models_folder() / (name + ".safetensors")));
    CHECK(bytes < 6'000'000);
    CHECK(golden()["models"].size() == shipped_models().size());
}

TEST_CASE("each model writes its golden text greedily, through every kind of cache and without one")
{
    for (const auto& [name, expected] : golden()["models"].items()) {
        CAPTURE(name);
        const Model model = builtin_model(name);
        const std::vector<int> prompt = model.tokenizer.encode(golden()["prompt"].get<std::string>());
        CHECK(prompt == expected["prompt_ids"].get<std::vector<int>>());
        std::vector<int> all = prompt;
        for (const int id : expected["greedy_ids"]) all.push_back(id);

        GenerationSettings settings{.steps = static_cast<Index>(all.size() - prompt.size())};
        for (const CacheKind& kind : cache_kinds()) {
            CAPTURE(kind.name);
            const Index context = model.decoder.config.max_length; // a ring as wide as that forgets nothing
            settings.cache =
                CacheChoice{.kind = std::string(kind.name), .options = {.max_length = context, .window = context}};
            CHECK(generate(model.decoder, {prompt}, settings, reference_backend()).tokens.front() == all);
        }
        settings.cache.reset();
        settings.steps = 20;
        const auto uncached = generate(model.decoder, {prompt}, settings, reference_backend()).tokens.front();
        CHECK(std::equal(uncached.begin(), uncached.end(), all.begin()));
        CHECK(model.tokenizer.decode(all) == expected["text"].get<std::string>());
    }
}

TEST_CASE("each model writes its golden text on the parallel path too, with 1, 2 and 3 threads")
{
    for (const auto& [name, expected] : golden()["models"].items()) {
        CAPTURE(name);
        const Model model = builtin_model(name);
        auto all = expected["prompt_ids"].get<std::vector<int>>();
        const std::vector<int> prompt = all;
        for (const int id : expected["greedy_ids"]) all.push_back(id);
        for (const int threads : {1, 2, 3}) {
            CAPTURE(threads);
            const GenerationSettings settings{.steps = static_cast<Index>(all.size() - prompt.size())};
            CHECK(generate(model.decoder, {prompt}, settings, parallel_backend({.threads = threads})).tokens.front() ==
                  all);
        }
    }
}

TEST_CASE("each model's nll of a held-out story is the one that NumPy computed in double")
{
    const HeldOut text = held_out(1);
    for (const auto& [name, expected] : golden()["models"].items()) {
        CAPTURE(name);
        const ShippedModel model = measure(name, text);
        CHECK(model.nll * static_cast<double>(model.predicted) ==
              Approx(expected["first_story_nll"].get<double>()).epsilon(1e-6));
        CHECK(expected["heldout_nll"].get<double>() ==
              Approx(std::log(model.training.value().perplexity)).epsilon(1e-3));
    }
}

TEST_CASE("our perplexity of the whole held-out text is the training framework's")
{
    const ShippedModel model = measure("gqa4", held_out(64));
    CHECK(model.perplexity == Approx(model.training.value().perplexity).epsilon(1e-3));
    CHECK(static_cast<double>(model.predicted) == golden()["models"]["gqa4"]["heldout_tokens"].get<double>());
}

TEST_CASE("the models' README says what is in the files")
{
    const HeldOut text = held_out(1);
    for (const std::string& name : shipped_models()) {
        CAPTURE(name);
        const ShippedModel model = measure(name, text);
        const std::vector<std::string> cells = row_of(name);
        CHECK(number(cells[1]) == static_cast<double>(model.config.kv_heads));
        CHECK(number(cells[2]) == static_cast<double>(model.config.hidden));
        CHECK(number(cells[3]) == static_cast<double>(model.parameters));
        CHECK(number(cells[4]) == static_cast<double>(model.cache_bytes_per_token));
        CHECK(number(cells[6]) == Approx(model.training.value().perplexity).margin(0.5e-4)); // seed 1, which ships
        CHECK(number(cells[8]) == static_cast<double>(model.file_bytes));
    }
}

TEST_CASE("trained models have equally many weights within 2 %, and fewer KV heads take fewer bytes")
{
    const HeldOut text = held_out(1);
    std::vector<ShippedModel> trained;
    for (const char* name : {"mha", "gqa4", "gqa2", "mqa"}) trained.push_back(measure(name, text));
    for (const ShippedModel& model : trained) {
        CHECK(std::abs(static_cast<double>(model.parameters) / static_cast<double>(trained[0].parameters) - 1) < 0.02);
        CHECK(model.cache_bytes_per_token * 8 == trained[0].cache_bytes_per_token * model.config.kv_heads);
    }
}
