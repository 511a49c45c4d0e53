#include "cuda/step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace headroom::cuda {
namespace {

using Bytes = Buffer<std::byte>;

// All bytes between a view's first and last element, so that its strides stay valid.
std::span<const std::byte> bytes_of(const StoredView& v)
{
    Index last = byte_size(v.type);
    for (int axis = 0; axis < 4; ++axis) {
        if (v.extent[axis] == 0) return {};
        last += (v.extent[axis] - 1) * v.byte_stride[axis];
    }
    return {v.data, static_cast<std::size_t>(last)};
}

Index scales_of(const StoredView& v)
{
    Index last = 1;
    for (int axis = 0; axis < 4; ++axis) {
        if (v.extent[axis] == 0) return 0;
        last += (v.extent[axis] - 1) * v.scale_stride[axis];
    }
    return last;
}

std::vector<float> floats(std::span<const double> values) { return {values.begin(), values.end()}; }

// Dense queries: as float, which holds every stored type but f64 exactly, or their stored bytes.
std::vector<std::byte> dense(const StoredView& q, bool as_float)
{
    const Index width = as_float ? 4 : byte_size(q.type);
    std::vector<std::byte> bytes;
    for (Index b = 0; b < q.extent[0]; ++b)
        for (Index h = 0; h < q.extent[1]; ++h)
            for (Index i = 0; i < q.extent[2]; ++i)
                for (Index d = 0; d < q.extent[3]; ++d) {
                    bytes.resize(bytes.size() + static_cast<std::size_t>(width));
                    encode(as_float ? DType::f32 : q.type, value(q, b, h, i, d),
                           &bytes[bytes.size() - static_cast<std::size_t>(width)]);
                }
    return bytes;
}

} // namespace

Claims simple_claims()
{
    return {.kv_types = {DType::f32, DType::f16, DType::bf16},
            .q_types = {DType::f32, DType::f16, DType::bf16},
            .causal = true,
            .top_left = true,
            .window = true,
            .sinks = true,
            .soft_cap = true,
            .bias = true,
            .mask = true,
            .sink_logits = true,
            .ragged = true,
            .block_table = true,
            .eviction = true,
            .value_dim_differs = true};
}

Claims tensor_claims()
{
    return {.kv_types = {DType::f16, DType::bf16},
            .q_types = {DType::f16, DType::bf16},
            .head_dims = {64, 128},
            .causal = true,
            .top_left = true,
            .window = true,
            .sinks = true,
            .soft_cap = true,
            .sink_logits = true,
            .ragged = true};
}

struct StepRun::Memory {
    std::vector<std::unique_ptr<Bytes>> buffers;
    std::unique_ptr<Buffer<float>> output, lse;

    template <class T> const T* upload(Executor& on, std::span<const T> values, std::string_view label)
    {
        const std::span bytes = std::as_bytes(values);
        buffers.push_back(std::make_unique<Bytes>(on, bytes, label));
        return reinterpret_cast<const T*>(buffers.back()->data());
    }
    Broadcast upload(Executor& on, const Tensor& t, std::string_view label)
    {
        Broadcast b{.data = upload<float>(on, floats(t.values()), label)};
        Index stride = 1;
        for (int axis = 3; axis >= 0; --axis) {
            b.stride[axis] = t.extent(axis) == 1 ? 0 : stride;
            stride *= t.extent(axis);
        }
        return b;
    }
    // Where no sequence has a key there are no rows, which a tensor map cannot describe: one row each that nobody sees.
    void upload_unseen_row(Executor& on, StoredView& part, std::string_view label)
    {
        const Index row_bytes = part.extent[3] * byte_size(part.type), heads = part.extent[1];
        part.extent[2] = 1;
        part.byte_stride[0] = heads * row_bytes, part.byte_stride[1] = part.byte_stride[2] = row_bytes;
        buffers.push_back(
            std::make_unique<Bytes>(on, static_cast<std::size_t>(part.extent[0] * heads * row_bytes), label));
        part.data = buffers.back()->data();
    }
    void upload(Executor& on, StoredView& part, std::string_view label, std::string_view scale_label)
    {
        if (part.extent[2] == 0) return upload_unseen_row(on, part, label);
        part.data = upload(on, bytes_of(part), label);
        if (part.scale)
            part.scale = upload(on, std::span(part.scale, static_cast<std::size_t>(scales_of(part))), scale_label);
    }
};

namespace {

// Tensor cores multiply a value with the zero weight of a query that does not see it, and 0 * NaN is NaN.
bool some_value_leaks(const AttentionProblem& p, const AttentionShape& shape)
{
    const bool all_see_all =
        !p.query_length && (p.options.causal == Causal::none ||
                            (shape.L == 1 && p.options.causal == Causal::bottom_right && !p.options.window));
    if (all_see_all) return false;
    for (Index b = 0; b < shape.B; ++b)
        for (Index hkv = 0; hkv < shape.Hkv; ++hkv)
            for (Index j = 0; j < p.kv.length[b]; ++j) {
                const Place at = place(p.kv, b, j);
                for (Index d = 0; d < shape.Dv; ++d)
                    if (!std::isfinite(value(p.kv.v, at.block, hkv, at.slot, d))) return true;
            }
    return false;
}

} // namespace

StepRun::StepRun(Executor& on, const AttentionProblem& problem, Queries queries)
    : executor(on), shape(check(problem)), lengths(problem.kv.length, problem.kv.length + problem.kv.sequences),
      q_type(problem.q.type), memory_(std::make_unique<Memory>())
{
    refuse_if(queries == Queries::as_stored && byte_size(problem.kv.k.type) > 1 && problem.q.type != problem.kv.k.type,
              "its queries have the type of its keys");
    refuse_if(problem.kv.k.type != problem.kv.v.type, "its values have the type of its keys");
    refuse_if(queries == Queries::as_stored && some_value_leaks(problem, shape),
              "a value that not all queries see is NaN or infinite");
    refuse_if(shape.B == 0 || shape.L == 0, "there is no query");
    Memory& memory = *memory_;
    const auto sequences = static_cast<std::size_t>(problem.kv.sequences);
    device.q = memory.upload<std::byte>(executor, dense(problem.q, queries == Queries::as_float), "q");
    device.kv = problem.kv;
    memory.upload(executor, device.kv.k, "k", "k_scale");
    memory.upload(executor, device.kv.v, "v", "v_scale");
    device.kv.length = memory.upload(executor, std::span(problem.kv.length, sequences), "length");
    if (problem.kv.evicted)
        device.kv.evicted = memory.upload(executor, std::span(problem.kv.evicted, sequences), "evicted");
    if (problem.kv.block_table)
        device.kv.block_table = memory.upload(
            executor,
            std::span(problem.kv.block_table, sequences * static_cast<std::size_t>(problem.kv.blocks_per_sequence)),
            "block_table");
    if (problem.query_length)
        device.query_length = memory.upload(executor, std::span(problem.query_length, sequences), "query_length");
    if (problem.bias) device.bias = memory.upload(executor, *problem.bias, "bias");
    if (problem.mask) device.mask = memory.upload(executor, *problem.mask, "mask");
    if (!problem.sink_logits.empty())
        device.sink_logits = memory.upload<float>(executor, floats(problem.sink_logits), "sink_logits");

    memory.output = std::make_unique<Buffer<float>>(executor, rows() * static_cast<std::size_t>(shape.Dv), "output");
    memory.lse = std::make_unique<Buffer<float>>(executor, rows(), "lse");
    device.output = memory.output->data();
    device.lse = memory.lse->data();

    const AttentionOptions& o = problem.options;
    const auto number = [](Index n) { return static_cast<int>(n); };
    device.B = number(shape.B), device.H = number(shape.H), device.Hkv = number(shape.Hkv);
    device.L = number(shape.L), device.D = number(shape.D), device.Dv = number(shape.Dv), device.S = number(shape.S);
    device.scale = static_cast<float>(o.scale.value_or(1 / std::sqrt(static_cast<double>(shape.D))));
    device.soft_cap = static_cast<float>(o.soft_cap);
    // Kernels count keys in an int: a longer window hides nothing that they could see.
    const Index window = std::min<Index>(o.window, std::numeric_limits<int>::max());
    device.causal = o.causal, device.window = window, device.sinks = o.sinks;
}

StepRun::~StepRun() = default;

void StepRun::refuse_if(bool condition, const std::string& reason) const
{
    if (condition) throw Unsupported("it cannot: " + reason);
}

void StepRun::refuse_unaligned_rows() const
{
    for (const StoredView& part : {device.kv.k, device.kv.v})
        for (int axis = 0; axis < 3; ++axis)
            refuse_if(part.byte_stride[axis] % 16 != 0, "it reads 16 bytes at a time, and rows are not aligned to 16");
}

SplitRun::SplitRun(Executor& on, const AttentionProblem& problem, int tile)
    : StepRun(on, problem, Queries::as_stored), tile_(tile),
      splits_(static_cast<int>(std::clamp<Index>(shape.S / (2 * tile), 1, 32))),
      output_(on, static_cast<std::size_t>(splits_ * shape.D) * rows(), "partial_output"),
      state_(on, static_cast<std::size_t>(splits_) * rows(), "partial_state")
{
    refuse_unaligned_rows();
}

namespace {

// How many tiles lie before each sequence; an empty sequence has one, so that somebody writes its zeros.
std::vector<int> tile_starts(const KvView& kv, int tile)
{
    std::vector<int> starts{0};
    for (Index b = 0; b < kv.sequences; ++b)
        starts.push_back(starts.back() + static_cast<int>(std::max<Index>(1, (kv.length[b] + tile - 1) / tile)));
    return starts;
}

constexpr Index most_blocks = 264; // two on each of an H200's 132 multiprocessors

} // namespace

BalancedRun::BalancedRun(Executor& on, const AttentionProblem& problem, int tile)
    : StepRun(on, problem, Queries::as_stored), tile_(tile), starts_(tile_starts(problem.kv, tile)),
      units_(starts_.back() * shape.Hkv),
      blocks_(static_cast<unsigned>(std::clamp<Index>(units_ / 2, 1, most_blocks))), // two tiles each at least
      tile_start_(on, std::span<const int>(starts_), "tile_start"),
      output_(on, static_cast<std::size_t>(2 * blocks_ * query_rows() * shape.D), "partial_output"),
      state_(on, static_cast<std::size_t>(2 * blocks_ * query_rows()), "partial_state"),
      arrived_(on, static_cast<std::size_t>(shape.B * shape.Hkv), "arrived")
{
    refuse_unaligned_rows();
    arrived_.write(std::vector<unsigned>(arrived_.count()));
}

BalancedWork BalancedRun::work() const
{
    return {tile_start_.data(), units_, output_.data(), state_.data(), arrived_.data()};
}

AttentionStages StepRun::stages()
{
    executor.finish();
    AttentionStages s;
    s.output = tensor(*memory_->output, {shape.B, shape.H, shape.L, shape.Dv});
    s.lse = tensor(*memory_->lse, {shape.B, shape.H, shape.L});
    return s;
}

} // namespace headroom::cuda
