// Hkv: how many heads of K and V are kept, in the words of each family.
#include "reference/planning/lookalikes.h"
#include "reference/planning/rules.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace headroom {
namespace {

const Names kv_head_names{"num_key_value_heads",
                          "num_kv_heads",
                          "n_head_kv",
                          "n_kv_heads",
                          "n_kv_head",
                          "num_query_groups",
                          "decoder_num_key_value_heads",
                          "num_key_value_heads_per_layer"};

using Heads = std::vector<Index>; // one number per layer

Heads query_heads(const Rules& r)
{
    Heads heads;
    for (const LayerGeometry& layer : r.geometry.layers) heads.push_back(layer.q_heads);
    return heads;
}

Heads same(const Rules& r, Index kv_heads) { return Heads(r.geometry.layers.size(), kv_heads); }

Heads one_head(const Rules& r, const std::string& because)
{
    r.say("1 KV head: " + because);
    return same(r, 1);
}

Heads all_heads(const Rules& r, const std::string& because)
{
    r.say("as many KV heads as query heads: " + because);
    return query_heads(r);
}

// 4.31 brought num_key_value_heads; since then every class that knows it writes it. A version that cannot be read may be
// as new as that.
bool written_since_kv_heads_are_stated(const ConfigPart& config)
{
    const auto version = config.text("transformers_version");
    if (!version) return false;
    int major = 0, minor = 0;
    const char* end = version->data() + version->size();
    const auto [point, unread] = std::from_chars(version->data(), end, major);
    if (unread != std::errc() || point == end || *point != '.') return true;
    if (std::from_chars(point + 1, end, minor).ec != std::errc()) return true;
    return major > 4 || (major == 4 && minor >= 31);
}

bool never_shares_heads(const ConfigPart& config)
{
    return config.is_family({"gpt2",
                             "gptj",
                             "gptneo",
                             "gptneox",
                             "gptneoxjapanese",
                             "opt",
                             "bloom",
                             "codegen",
                             "baichuan",
                             "qwen",
                             "xglm",
                             "biogpt",
                             "t5",
                             "mt5",
                             "umt5",
                             "longt5",
                             "bart",
                             "mbart",
                             "whisper",
                             "pegasus",
                             "marian",
                             "m2m100",
                             "phimsft",
                             "phi",
                             "internlm",
                             "persimmon",
                             "mpt",
                             "ctrl",
                             "moss",
                             "telechat",
                             "jais",
                             "blenderbot",
                             "trocr",
                             "musicgen",
                             "bert",
                             "roberta",
                             "openaigpt",
                             "switchtransformers",
                             "speech2text",
                             "plbart",
                             "led"});
}

// "groups" of ChatGLM are KV heads: multi_query_group_num 2 means 2 heads, not heads / 2.
std::optional<Heads> by_query_groups(const Rules& r)
{
    const auto groups = r.config.number({"multi_query_group_num"}, head_limit);
    const auto shared = r.config.flag("multi_query_attention");
    if (!groups && !shared) {
        if (!r.config.is_family({"chatglm"})) return std::nullopt;
        return all_heads(r, "the class chatglm shares none unless multi_query_attention is true");
    }
    if (!shared) throw std::invalid_argument("multi_query_group_num is stated without multi_query_attention");
    if (!*shared)
        return groups || r.config.is_family({"chatglm"}) ? std::optional(all_heads(r, "multi_query_attention is false"))
                                                         : std::nullopt;
    if (!groups) {
        if (r.config.is_family({"chatglm"}))
            throw std::invalid_argument("multi_query_attention is true, but multi_query_group_num is not stated");
        return one_head(r, "multi_query_attention is true");
    }
    r.say(std::to_string(groups->value) + " KV heads (multi_query_group_num, although the flag says multi-query)");
    return same(r, groups->value);
}

std::optional<Heads> by_falcon(const Rules& r)
{
    if (!r.config.is_family({"falcon", "refinedweb", "rw"})) return std::nullopt;
    const auto stated = r.config.number({"num_kv_heads", "n_head_kv"}, head_limit);
    const bool regrouped = r.config.flag("new_decoder_architecture").value_or(false);
    const auto multi_query = r.config.flag("multi_query");
    if (!regrouped && multi_query == true) return one_head(r, "multi_query is true");
    if (stated && (regrouped || multi_query == false || !r.config.is_family({"falcon"}))) {
        r.say(std::to_string(stated->value) + " KV heads (" + stated->key + ")");
        return same(r, stated->value);
    }
    if (!regrouped && multi_query == false) return all_heads(r, "multi_query is false");
    throw std::invalid_argument("a Falcon states its KV heads by multi_query, new_decoder_architecture and "
                                "num_kv_heads (n_head_kv), and they do not suffice here");
}

std::optional<Heads> by_attention_part(const Rules& r)
{
    if (r.config.is_null("attn_config")) throw std::invalid_argument("attn_config is null: the KV heads are unknown");
    const auto part = r.config.part("attn_config");
    if (!part) return std::nullopt;
    refuse_lookalikes(*part);
    const std::string type = part->text("attn_type").value_or("");
    if (type == "multiquery_attention") return one_head(r, "attn_type is multiquery_attention");
    if (const auto stated = part->number({"kv_n_heads"}, head_limit)) {
        r.say(std::to_string(stated->value) + " KV heads (attn_config.kv_n_heads)");
        return same(r, stated->value);
    }
    if (type == "multihead_attention") return all_heads(r, "attn_type is multihead_attention");
    if (type.empty()) return std::nullopt;
    throw std::invalid_argument("attn_config.attn_type is " + short_text(type) + " and kv_n_heads is not stated");
}

std::optional<Heads> by_flag(const Rules& r)
{
    const auto multi_query = r.config.flag("multi_query");
    if (!multi_query && r.config.is_family({"gptbigcode"}))
        return one_head(r, "the class gptbigcode shares one head unless multi_query is false");
    if (!multi_query) return std::nullopt;
    return *multi_query ? one_head(r, "multi_query is true") : all_heads(r, "multi_query is false");
}

Heads by_silence(const Rules& r)
{
    if (r.config.is_family({"nemotronnas", "deci", "decilm"}))
        throw std::invalid_argument("neither block_configs nor num_key_value_heads_per_layer is stated, but the layers "
                                    "of the class " +
                                    r.config.family() + " differ");
    const ClassDefaults* usual = class_defaults(r.config.family());
    const bool null = std::any_of(kv_head_names.begin(), kv_head_names.end(),
                                  [&](std::string_view key) { return r.config.is_null(key); });
    if (r.config.flag("multi_query_attention") == false) return all_heads(r, "multi_query_attention is false");
    if (never_shares_heads(r.config)) return all_heads(r, "the class " + r.config.family() + " never shares them");
    if (r.defaults && !null) {
        if (r.defaults->kv_heads == 0) return all_heads(r, "the default of the class " + r.config.family());
        r.say("num_key_value_heads is left out: the default of the class " + r.config.family() + ", " +
              std::to_string(r.defaults->kv_heads) + ", applies");
        return same(r, r.defaults->kv_heads);
    }
    if (!usual)
        throw std::invalid_argument("num_key_value_heads is " + std::string(null ? "null" : "not stated") + ", and " +
                                    (r.config.family().empty()
                                         ? "neither model_type nor architectures names a class"
                                         : "what the class '" + r.config.family() + "' means by that is not known") +
                                    ": KV heads unknown");
    if (usual->kv_heads != 0 || written_since_kv_heads_are_stated(r.config))
        throw std::invalid_argument(std::string("num_key_value_heads is ") + (null ? "null" : "missing") +
                                    ", although the class that wrote this file always states it: KV heads unknown");
    return all_heads(r, "no key states another number, and that is the default of the class " + r.config.family());
}

Heads kv_heads(const Rules& r)
{
    if (const auto heads = kv_heads_of_blocks(r)) return *heads;
    if (const auto heads = by_falcon(r)) return *heads;
    if (const auto heads = by_query_groups(r)) return *heads;
    if (const auto stated = per_layer(r, kv_head_names, head_limit)) {
        r.say((stated->varies ? list_text(stated->values) : std::to_string(stated->values.front())) +
              (stated->values.back() == 1 ? " KV head (" : " KV heads (") + stated->key + ")");
        return stated->values;
    }
    if (const auto heads = by_attention_part(r)) return *heads;
    if (const auto heads = by_flag(r)) return *heads;
    return by_silence(r);
}

} // namespace

void rule_kv_heads(const Rules& r)
{
    const Heads heads = kv_heads(r);
    for (std::size_t i = 0; i < heads.size(); ++i) {
        LayerGeometry& layer = r.geometry.layers[i];
        layer.kv_heads = heads[i];
        if (layer.q_heads % layer.kv_heads != 0)
            throw std::invalid_argument(std::to_string(layer.q_heads) + " query heads cannot share " +
                                        std::to_string(layer.kv_heads) + " KV heads evenly");
    }
}

} // namespace headroom
