// Every key of every real config, broken in every way: the answer is a refusal in one line, or the same numbers.
#include "reference/planning/kv_bytes.h"
#include "reference/planning/lenient_json.h"
#include "reference/planning/model.h"
#include "tests/planning/config_index.h"
#include "tests/support/catch.h"
#include <fmt/format.h>

using namespace headroom;
using nlohmann::json;

namespace {

struct Numbers { // what a mutation must not change unnoticed
    std::string kind;
    Index per_token, beyond, fixed, at_4096, at_131072;
    bool operator==(const Numbers&) const = default;
};

Numbers numbers(const Geometry& g)
{
    const KvSettings s;
    return {g.kind,
            bytes_per_token(g, s),
            bytes_per_token_beyond_window(g, s),
            fixed_bytes(g, s),
            kv_bytes(g, s, 4096, 1),
            kv_bytes(g, s, 131072, 1)};
}

// "" : refused in one line, or unchanged.
std::string fault(const std::string& text, const Numbers& right)
{
    try {
        return numbers(model_from_text(text).geometry) == right ? "" : "a wrong number";
    } catch (const std::invalid_argument& refused) {
        const std::string what = refused.what();
        return what.empty() || what.find('\n') != std::string::npos || what.size() > 400 ? "not one clear line" : "";
    } catch (const std::overflow_error&) {
        return "";
    } catch (const std::exception& other) {
        return std::string("an unexpected exception: ") + other.what();
    }
}

std::vector<json> broken(const json& value)
{
    if (value.is_null()) return {"a text", -1, 0.5, 1e300, json::array({-1}), json::object(), true};
    if (value.is_boolean()) return {nullptr, "true", 1, -1, 0.5};
    if (value.is_number())
        return {nullptr,
                -1,
                -7.5,
                value.get<double>() + 0.5,
                value.dump(),
                1e300,
                std::int64_t{1} << 62,
                std::uint64_t{1} << 63,
                1'000'000'000'000,
                json::array({value}),
                json::object(),
                true};
    if (value.is_string()) return {nullptr, 1, json::array()};
    if (value.is_array())
        return {nullptr,
                "a text",
                1,
                json::object(),
                json::array({nullptr}),
                json::array({-1}),
                json::array({0.5}),
                json::array({"unknown"})};
    return {nullptr, "a text", 1, json::array()};
}

// All objects that may describe the text decoder; a vision tower or id2label has nothing to say.
std::vector<json::json_pointer> objects(const json& file)
{
    std::vector<json::json_pointer> list{json::json_pointer("")};
    for (const char* key : {"text_config", "attn_config"})
        if (file.contains(key)) list.push_back(json::json_pointer(std::string("/") + key));
    return list;
}

// What a file may rightly say instead: another class has other rules, and null is how a class without a window states it.
bool says_another_model(const std::string& key, const json& wrong)
{
    return key == "model_type" || key == "architectures" || (key == "sliding_window" && wrong.is_null());
}

} // namespace

TEST_CASE("a config with any key broken is refused in one line or gives the same numbers")
{
    Index tried = 0;
    for (const IndexRow& row : config_index()) {
        const json file = parse_lenient_json(file_text(row.config()));
        const Numbers right = numbers(model_from_text(file.dump()).geometry);
        for (const auto& where : objects(file))
            for (const auto& [key, value] : file[where].items()) {
                for (const json& wrong : broken(value)) {
                    if (says_another_model(key, wrong)) continue;
                    json mutant = file;
                    mutant[where][key] = wrong;
                    const std::string found = fault(mutant.dump(), right);
                    if (!found.empty())
                        FAIL_CHECK(fmt::format("{}: {} = {}: {}", row.name(), key, wrong.dump(), found));
                    ++tried;
                }
            }
    }
    CHECK((tried == 0 || tried > 10000));
}

TEST_CASE("a config with any key renamed is refused in one line or gives the same numbers")
{
    for (const IndexRow& row : config_index()) {
        const json file = parse_lenient_json(file_text(row.config()));
        const Numbers right = numbers(model_from_text(file.dump()).geometry);
        for (const auto& where : objects(file))
            for (const auto& [key, value] : file[where].items()) {
                if (says_another_model(key, value) && !value.is_null()) continue;
                std::string upper = key, missing_letter = key.substr(0, key.size() - 1);
                for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
                for (const std::string& name : {key + "_x", "x_" + key, key + "_renamed", "renamed_" + key, upper,
                                                key + "2", missing_letter, "old_" + key}) {
                    json mutant = file;
                    mutant[where].erase(key);
                    mutant[where][name] = value;
                    const std::string found = fault(mutant.dump(), right);
                    if (!found.empty()) FAIL_CHECK(fmt::format("{}: {} renamed {}: {}", row.name(), key, name, found));
                }
            }
    }
}

TEST_CASE("a config that ends anywhere before its end is refused")
{
    for (const IndexRow& row : config_index()) {
        INFO(row.name());
        const std::string text = file_text(row.config());
        const std::size_t last = text.find_last_of('}');
        for (std::size_t length = 0; length <= last; length += 7) {
            INFO(length);
            CHECK_THROWS_AS(model_from_text(text.substr(0, length)), std::invalid_argument);
        }
    }
}
