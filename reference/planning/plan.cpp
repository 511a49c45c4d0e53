#include "reference/planning/plan.h"

#include "reference/planning/checked.h"
#include "reference/planning/fit.h"
#include "reference/planning/model.h"

namespace headroom {
namespace {

constexpr Index usual_context = 4096;

// Bits of a weight by the name in the file ("bfloat16") or of the option ("bf16"); 0: not known.
Index weight_bits(const std::string& dtype)
{
    for (const char* name : {"float32", "f32"})
        if (dtype == name) return 32;
    for (const char* name : {"float16", "bfloat16", "f16", "bf16"})
        if (dtype == name) return 16;
    for (const char* name : {"float8_e4m3fn", "f8e4m3", "i8"})
        if (dtype == name) return 8;
    return dtype == "i4" ? 4 : 0;
}

// A decode step reads the weights that a token uses once for the whole batch, and every sequence's cache.
Roofline roofline(const Plan& p)
{
    const PlanSettings& s = p.settings;
    Roofline r;
    r.bandwidth = *s.bandwidth;
    const Index bits = weight_bits(p.weights.dtype);
    const Index used = p.weights.active && bits > 0 && !s.weight_bytes ? divide_up(times(*p.weights.active, bits), 8)
                                                                       : *p.weights.bytes;
    r.weight_bytes_read = divide_up(used, s.cache.ranks);
    r.kv_bytes_read = times(read_bytes(p.geometry, s.cache, p.context), s.batch);
    const double seconds =
        static_cast<double>(plus(r.weight_bytes_read, r.kv_bytes_read)) / static_cast<double>(r.bandwidth);
    r.step_ms = 1e3 * seconds;
    r.tokens_per_second = seconds > 0 ? static_cast<double>(s.batch) / seconds : 0;
    return r;
}

void calculate_cache(Plan& p)
{
    const Geometry& g = p.geometry;
    const KvSettings& rank = p.settings.cache;
    const Index batch = p.settings.batch;
    p.bytes_per_token_per_rank = bytes_per_token(g, rank);
    p.kv_bytes_per_rank = kv_bytes(g, rank, p.context, batch);

    KvSettings whole = rank;
    whole.ranks = 1;
    KvSettings keep_all = whole, drop_chunks = whole;
    keep_all.eviction = Eviction::none;
    drop_chunks.eviction = Eviction::windows_and_chunks;
    p.bytes_per_token = bytes_per_token(g, whole);
    p.bytes_per_token_beyond_window = bytes_per_token_beyond_window(g, whole);
    p.bytes_per_token_beyond_chunk = bytes_per_token_beyond_window(g, drop_chunks);
    p.source_token_bytes = source_token_bytes(g, whole);
    p.fixed_bytes_per_sequence = fixed_bytes(g, whole);
    p.kv_bytes = kv_bytes(g, whole, p.context, batch);
    p.kv_bytes_not_evicting = kv_bytes_if_countable(g, keep_all, p.context, batch);
    p.kv_bytes_evicting_chunks = kv_bytes_if_countable(g, drop_chunks, p.context, batch);

    const Geometry mha = as_mha(g), mqa = as_mqa(g);
    p.mha_bytes_per_token = bytes_per_token(mha, whole);
    p.mqa_bytes_per_token = bytes_per_token(mqa, whole);
    p.mha_kv_bytes = kv_bytes_if_countable(mha, whole, p.context, batch);
    p.mqa_kv_bytes = kv_bytes_if_countable(mqa, whole, p.context, batch);
    if (g.is_latent()) p.bytes_per_token_expanded = p.mha_bytes_per_token;
}

} // namespace

Weights weigh(const Parameters& counted, const PlanSettings& s)
{
    Weights w;
    w.parameters = counted.total;
    w.parameters_reason = counted.reason;
    w.dtype = s.weight_dtype.empty() ? counted.stored_as : s.weight_dtype;
    if (counted.total) w.active = counted.active;
    const Index bits = weight_bits(w.dtype);
    if (s.weight_bytes)
        w.bytes = s.weight_bytes;
    else if (!counted.total)
        w.bytes_reason = counted.reason;
    else if (counted.quantised && s.weight_dtype.empty())
        w.bytes_reason = "the file names a quantisation: say --weight-dtype or --weight-bytes";
    else if (bits == 0)
        w.bytes_reason = "the weights' type '" + w.dtype + "' is not known: say --weight-dtype or --weight-bytes";
    else
        w.bytes = divide_up(times(*counted.total, bits), 8);
    return w;
}

Plan make_plan(const std::filesystem::path& config, const PlanSettings& settings)
{
    const ModelFacts model = read_model(config);
    Plan p;
    p.geometry = model.geometry;
    p.settings = settings;
    p.context =
        settings.context.value_or(model.geometry.model_context > 0 ? model.geometry.model_context : usual_context);
    calculate_cache(p);

    p.weights = weigh(model.parameters, settings);
    if (settings.memory && p.weights.bytes)
        p.fit = fit(p.geometry, settings, p.context, *p.weights.bytes);
    else if (settings.memory)
        p.fit_reason = p.weights.bytes_reason;
    if (settings.bandwidth && p.weights.bytes)
        p.roofline = roofline(p);
    else if (settings.bandwidth)
        p.roofline_reason = p.weights.bytes_reason;
    p.derivation = model.geometry.derivation;
    p.derivation.insert(p.derivation.end(), model.parameters.derivation.begin(), model.parameters.derivation.end());
    return p;
}

} // namespace headroom
