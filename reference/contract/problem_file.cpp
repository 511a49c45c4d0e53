#include "reference/contract/problem_file.h"

#include "reference/tensor/safetensors.h"
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

StoredTensor take(NamedTensors& file, const std::string& name)
{
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) return {};
    StoredTensor tensor = std::move(found->second);
    file.tensors.erase(found);
    return tensor;
}

StoredTensor take_floats(NamedTensors& file, const std::string& name)
{
    StoredTensor tensor = take(file, name);
    if (tensor.empty()) throw std::invalid_argument("a problem needs the tensor '" + name + "'");
    const DType type = tensor.type();
    if (type != DType::f64 && type != DType::f32 && type != DType::f16 && type != DType::bf16)
        throw std::invalid_argument(name + " has dtype " + std::string(headroom::name(type)) +
                                    ", not f64, f32, f16 or bf16");
    if (tensor.shape().size() != 4)
        throw std::invalid_argument(name + " has shape " + to_text(tensor.shape()) + ", not four axes");
    return tensor;
}

Tensor take_optional(NamedTensors& file, const std::string& name)
{
    const StoredTensor tensor = take(file, name);
    return tensor.empty() ? Tensor() : load(tensor);
}

} // namespace

AttentionProblem OwnedProblem::problem() const
{
    const StoredView queries = q.view();
    if (kv_lengths.empty()) full_lengths_.assign(static_cast<std::size_t>(k.shape()[0]), k.shape()[2]);
    AttentionProblem p;
    p.q = queries;
    p.kv.k = k.view();
    p.kv.v = v.view();
    p.kv.sequences = k.shape()[0];
    p.kv.length = kv_lengths.empty() ? full_lengths_.data() : kv_lengths.data();
    p.options = options;
    if (!query_lengths.empty()) p.query_length = query_lengths.data();
    if (!bias.empty()) p.bias = &bias;
    if (!mask.empty()) p.mask = &mask;
    p.sink_logits = sink_logits;
    return p;
}

OwnedProblem read_problem(const std::filesystem::path& path)
{
    NamedTensors file = read_safetensors(path);
    OwnedProblem problem;
    problem.q = take_floats(file, "q");
    problem.k = take_floats(file, "k");
    problem.v = take_floats(file, "v");
    problem.bias = take_optional(file, "bias");
    problem.mask = take_optional(file, "mask");
    for (const double length : take_optional(file, "kv_lengths").values())
        problem.kv_lengths.push_back(static_cast<Index>(length));
    const Tensor sinks = take_optional(file, "sink_logits");
    problem.sink_logits.assign(sinks.values().begin(), sinks.values().end());
    return problem;
}

} // namespace headroom
