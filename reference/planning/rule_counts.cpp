// How many layers, how wide, how many query heads, how long a sequence.
#include "reference/planning/rules.h"

#include <algorithm>
#include <stdexcept>

namespace headroom {
namespace {

const Names layer_names{"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"};
const Names decoder_layer_names{"decoder_layers", "num_decoder_layers", "decoder_num_hidden_layers"};
const Names width_names{"hidden_size", "n_embd", "n_embed", "d_model", "model_dim", "dim"};
const Names head_names{"num_attention_heads", "n_head", "n_heads", "num_heads", "num_query_heads"};
const Names decoder_head_names{"decoder_attention_heads", "decoder_num_attention_heads", "num_heads"};

bool left_out(const ConfigPart& config, Names names)
{
    return std::none_of(names.begin(), names.end(), [&](std::string_view key) { return config.has(key); });
}

[[noreturn]] void refuse_missing(const ConfigPart& config, const char* what, Names names)
{
    std::string known;
    for (const std::string_view key : names) known += (known.empty() ? "" : ", ") + std::string(key);
    throw std::invalid_argument(std::string("the number of ") + what + " is not stated" +
                                (config.nested() ? " in " + config.where() : "") + " (known keys: " + known + ")");
}

void say_default(const Rules& r, const char* what, Index value)
{
    r.say("the number of " + std::string(what) + " is left out: the default of the class " + r.geometry.family + ", " +
          std::to_string(value) + ", applies");
}

} // namespace

void Rules::say(std::string_view sentence) const { geometry.derivation.emplace_back(sentence); }

bool is_encoder_decoder(const ConfigPart& config)
{
    const bool flag = config.flag("is_encoder_decoder").value_or(false);
    return flag || config.states("decoder_layers") || config.states("num_decoder_layers") ||
           config.is_family({"t5", "mt5", "umt5", "longt5", "switchtransformers"});
}

std::string list_text(const std::vector<Index>& numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i == 12 && numbers.size() > 14) return text + ", … (" + std::to_string(numbers.size()) + " in all)";
        text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
    }
    return text;
}

std::optional<PerLayer> per_layer(const Rules& r, Names names, Limit limit)
{
    for (const std::string_view key : names) {
        if (!r.config.states(key) || !r.config.object()[std::string(key)].is_array()) continue;
        PerLayer list{*r.config.numbers(key, limit), std::string(key), true};
        if (static_cast<Index>(list.values.size()) != r.layers())
            throw std::invalid_argument(r.config.label(key) + " lists " + std::to_string(list.values.size()) +
                                        " layers, but the model has " + std::to_string(r.layers()));
        return list;
    }
    if (const auto one = r.config.number(names, limit))
        return PerLayer{std::vector<Index>(static_cast<std::size_t>(r.layers()), one->value), one->key, false};
    return std::nullopt;
}

bool rule_no_cache(const Rules& r)
{
    const bool state_space =
        r.config.is_family({"mamba", "mamba2", "falconmamba", "rwkv", "rwkv5", "rwkv6", "rwkv7", "xlstm"});
    const bool encoder = r.config.is_family({"bert", "roberta", "distilbert", "albert", "electra", "xlmroberta",
                                             "camembert", "deberta", "debertav2", "mpnet", "modernbert"}) &&
                         !r.config.flag("is_decoder").value_or(false);
    if (!state_space && !encoder) return false;
    rule_layer_count(r);
    for (LayerGeometry& layer : r.geometry.layers) layer.role = Role::no_attention;
    r.say(state_space
              ? "the class " + r.geometry.family + " has a state of fixed size and no attention: no KV cache"
              : "the class " + r.geometry.family + " is an encoder: it reads all tokens at once and keeps none");
    return true;
}

void rule_layer_count(const Rules& r)
{
    const bool two_stacks = is_encoder_decoder(r.config);
    auto stated = two_stacks ? r.config.number(decoder_layer_names, layer_limit) : std::nullopt;
    if (!stated) stated = r.config.number(layer_names, layer_limit);
    Index layers = 0;
    if (stated) {
        layers = stated->value;
        r.say(std::to_string(layers) + (two_stacks ? " decoder layers (" : " layers (") + stated->key + ")");
    } else if (r.defaults && left_out(r.config, layer_names)) {
        say_default(r, "layers", layers = r.defaults->layers);
    } else {
        refuse_missing(r.config, "layers", layer_names);
    }
    if (r.config.is_family({"longcatflash"}))
        throw std::invalid_argument("the class longcatflash has two attention blocks per layer: not derived here");
    r.geometry.layers.assign(static_cast<std::size_t>(layers), {});

    if (const auto width = r.config.number(width_names, model_width_limit))
        r.geometry.hidden_size = width->value;
    else if (r.defaults && left_out(r.config, width_names)) {
        r.geometry.hidden_size = r.defaults->hidden_size;
        r.say("hidden_size is left out: the default of the class " + r.geometry.family + ", " +
              std::to_string(r.defaults->hidden_size) + ", applies");
    }
}

void rule_query_heads(const Rules& r)
{
    std::optional<PerLayer> heads;
    if (is_encoder_decoder(r.config)) heads = per_layer(r, decoder_head_names, head_limit);
    if (!heads) heads = per_layer(r, head_names, head_limit);
    if (!heads && r.defaults && left_out(r.config, head_names)) {
        heads = PerLayer{std::vector<Index>(r.geometry.layers.size(), r.defaults->heads), "", false};
        say_default(r, "query heads", r.defaults->heads);
    } else if (!heads) {
        refuse_missing(r.config, "query heads", head_names);
    } else {
        r.say((heads->varies ? list_text(heads->values) : std::to_string(heads->values.front())) + " query heads (" +
              heads->key + ")");
    }
    for (std::size_t i = 0; i < r.geometry.layers.size(); ++i) r.geometry.layers[i].q_heads = heads->values[i];
    r.geometry.q_heads = *std::max_element(heads->values.begin(), heads->values.end());
}

void rule_context(const Rules& r)
{
    for (const char* key : {"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "max_sequence_length",
                            "max_target_positions", "seq_length", "model_max_length"})
        if (const auto stated = r.config.number({key}, {1, Index{1} << 40})) {
            r.geometry.model_context = stated->value;
            r.say("the model states a context of " + std::to_string(stated->value) + " tokens (" + key + ")");
            return;
        }
}

} // namespace headroom
