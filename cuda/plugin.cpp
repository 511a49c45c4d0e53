// A user's shared object as an implementation of attention.
#include "cuda/attention.h"
#include "cuda/plugin_process.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace headroom::cuda {
namespace {

// Dense rows of the stored type; what no token was written to is NaN, so that looking at it shows.
std::vector<std::byte> dense(const AttentionShape& shape, const KvView& kv, const StoredView& part)
{
    const Index width = part.extent[3], row_bytes = width * byte_size(part.type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(shape.B * shape.Hkv * shape.S * row_bytes), std::byte{0xff});
    for (Index b = 0; b < shape.B; ++b)
        for (Index hkv = 0; hkv < shape.Hkv; ++hkv)
            for (Index j = 0; j < kv.length[b]; ++j) {
                const Place at = place(kv, b, j);
                std::byte* to = bytes.data() + ((b * shape.Hkv + hkv) * shape.S + j) * row_bytes;
                for (Index d = 0; d < width; ++d, to += byte_size(part.type))
                    encode(part.type, value(part, at.block, hkv, at.slot, d), to);
            }
    return bytes;
}

std::vector<std::byte> dense(const StoredView& q)
{
    std::vector<std::byte> bytes;
    std::byte number[8];
    for (Index b = 0; b < q.extent[0]; ++b)
        for (Index h = 0; h < q.extent[1]; ++h)
            for (Index i = 0; i < q.extent[2]; ++i)
                for (Index d = 0; d < q.extent[3]; ++d) {
                    encode(q.type, value(q, b, h, i, d), number);
                    bytes.insert(bytes.end(), number, number + byte_size(q.type));
                }
    return bytes;
}

std::int64_t type_code(DType type)
{
    return type == DType::f32 ? HEADROOM_F32 : type == DType::f16 ? HEADROOM_F16 : HEADROOM_BF16;
}

AttentionStages call(PluginProcess& plugin, const AttentionProblem& p)
{
    if (p.q.type != p.kv.k.type || p.kv.v.type != p.kv.k.type)
        throw Unsupported("a plugin gets q, k and v of one type");
    if (p.query_length) throw Unsupported("a plugin gets no padded queries");
    const AttentionShape s = check(p);
    const std::vector<std::byte> q = dense(p.q), k = dense(s, p.kv, p.kv.k), v = dense(s, p.kv, p.kv.v);
    std::vector<float> output(static_cast<std::size_t>(s.B * s.H * s.L * s.Dv),
                              std::numeric_limits<float>::quiet_NaN());
    std::vector<float> lse(static_cast<std::size_t>(s.B * s.H * s.L), std::numeric_limits<float>::quiet_NaN());
    HeadroomProblem problem{};
    problem.version = 1;
    problem.B = s.B, problem.H = s.H, problem.Hkv = s.Hkv, problem.L = s.L, problem.S = s.S, problem.D = s.D,
    problem.Dv = s.Dv;
    problem.q = q.data(), problem.k = k.data(), problem.v = v.data(), problem.type = type_code(p.q.type);
    problem.kv_lengths = p.kv.length;
    problem.causal = static_cast<std::int64_t>(p.options.causal);
    problem.window = p.options.window, problem.sinks = p.options.sinks, problem.soft_cap = p.options.soft_cap;
    problem.scale = p.options.scale.value_or(1 / std::sqrt(static_cast<double>(s.D)));
    problem.output = output.data(), problem.lse = lse.data();

    const int result = plugin.attend(problem);
    if (result == HEADROOM_UNSUPPORTED) throw Unsupported("the plugin refuses this problem");
    if (result != HEADROOM_DONE) throw std::runtime_error("the plugin says that it failed: " + std::to_string(result));
    AttentionStages stages;
    stages.output = Tensor({s.B, s.H, s.L, s.Dv}, std::vector<double>(output.begin(), output.end()));
    stages.lse = Tensor({s.B, s.H, s.L}, std::vector<double>(lse.begin(), lse.end()));
    return stages;
}

} // namespace

Implementation plugin(const std::filesystem::path& library, int patience)
{
    const auto process = std::make_shared<PluginProcess>(library, patience);
    Claims claims{.kv_types = {DType::f32, DType::f16, DType::bf16}};
    claims.causal = claims.top_left = claims.window = claims.sinks = claims.soft_cap = true;
    claims.ragged = claims.block_table = claims.value_dim_differs = true;
    Implementation made = implementation(
        process->name(), claims, [process](const AttentionProblem& problem) { return call(*process, problem); });
    made.executor = "plugin";
    return made;
}

} // namespace headroom::cuda
