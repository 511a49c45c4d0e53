#include "reference/contract/problem_file.h"

#include "reference/tensor/print.h"
#include "reference/tensor/safetensors.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace headroom {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

enum class Kind : std::uint8_t { floats, integers, mask };

bool is_float(DType t) { return t == DType::f64 || t == DType::f32 || t == DType::f16 || t == DType::bf16; }
bool is_integer(DType t) { return t == DType::i64 || t == DType::i32 || t == DType::u8 || t == DType::i8; }

// Tensors are taken out of the file one by one, so that what is left is unknown.
class Contents {
public:
    explicit Contents(NamedTensors file) : tensors_(std::move(file.tensors)) {}

    bool has(const std::string& name) const { return tensors_.contains(name); }

    StoredTensor take(const std::string& name, Kind kind)
    {
        const auto found = tensors_.find(name);
        if (found == tensors_.end()) refuse("a problem needs the tensor '" + name + "'");
        StoredTensor tensor = std::move(found->second);
        tensors_.erase(found);
        const DType type = tensor.type();
        const std::string shown =
            name + " " + to_text(tensor.shape()) + " has dtype " + std::string(headroom::name(type));
        if (kind == Kind::floats && !is_float(type)) refuse(shown + ", not F64, F32, F16 or BF16");
        if (kind == Kind::mask && type != DType::boolean && type != DType::u8) refuse(shown + ", not BOOL or U8");
        if (kind == Kind::integers && !is_float(type) && !is_integer(type)) refuse(shown + ", not an integer type");
        return tensor;
    }

    void expect_nothing_left() const
    {
        if (tensors_.empty()) return;
        refuse("a problem has no tensor '" + tensors_.begin()->first +
               "'; it has q, k, v and optionally bias, mask, kv_lengths, query_lengths, sink_logits");
    }

private:
    std::map<std::string, StoredTensor> tensors_;
};

StoredTensor four_axes(const std::string& name, StoredTensor tensor)
{
    if (tensor.shape().size() != 4) refuse(name + " " + to_text(tensor.shape()) + " must have four axes");
    return tensor;
}

// As NumPy broadcasts: missing axes are leading ones of extent 1.
Tensor broadcastable(const std::string& name, const StoredTensor& tensor)
{
    Shape shape = tensor.shape();
    if (shape.size() > 4) refuse(name + " " + to_text(shape) + " has more than four axes");
    if (tensor.type() == DType::boolean)
        for (const std::byte value : tensor.bytes())
            if (value > std::byte{1}) refuse(name + " " + to_text(shape) + " holds a BOOL that is neither 0 nor 1");
    const Tensor loaded = load(tensor);
    shape.insert(shape.begin(), 4 - shape.size(), 1);
    return Tensor(shape, std::vector<double>(loaded.values().begin(), loaded.values().end()));
}

std::vector<double> list(const std::string& name, const StoredTensor& tensor, Index expected)
{
    if (tensor.shape() != Shape{expected})
        refuse(name + " has shape " + to_text(tensor.shape()) + ", must be " + to_text(Shape{expected}));
    const Tensor loaded = load(tensor);
    return {loaded.values().begin(), loaded.values().end()};
}

std::vector<Index> counts(const std::string& name, const StoredTensor& tensor, Index expected)
{
    std::vector<Index> integers;
    for (const double value : list(name, tensor, expected)) {
        if (!(value >= 0 && value <= 0x1p53 && value == std::floor(value)))
            refuse(name + " holds " + to_text(value) + ", which is not a count");
        integers.push_back(static_cast<Index>(value));
    }
    return integers;
}

void expect_length(const std::string& name, std::size_t length, Index batch)
{
    if (length != 0 && static_cast<Index>(length) != batch)
        refuse(name + " [" + std::to_string(length) + "] must have one entry per sequence, " + std::to_string(batch));
}

} // namespace

AttentionProblem OwnedProblem::problem() const
{
    if (q.shape().size() != 4 || k.shape().size() != 4 || v.shape().size() != 4)
        refuse("q " + to_text(q.shape()) + ", k " + to_text(k.shape()) + ", v " + to_text(v.shape()) +
               " must have four axes");
    const Index batch = k.shape()[0], keys = k.shape()[2];
    if (q.shape()[0] != batch)
        refuse("k " + to_text(k.shape()) + ", q " + to_text(q.shape()) + ": batch of k and q differ");
    expect_length("kv_lengths", kv_lengths.size(), batch);
    expect_length("query_lengths", query_lengths.size(), batch);
    if (kv_lengths.empty()) full_lengths_.assign(static_cast<std::size_t>(batch), keys);

    AttentionProblem p;
    p.q = q.view();
    p.kv.k = k.view();
    p.kv.v = v.view();
    p.kv.sequences = batch;
    p.kv.length = kv_lengths.empty() ? full_lengths_.data() : kv_lengths.data();
    p.options = options;
    if (!query_lengths.empty()) p.query_length = query_lengths.data();
    if (!bias.empty()) p.bias = &bias;
    if (!mask.empty()) p.mask = &mask;
    p.sink_logits = sink_logits;
    p.keys = keys;
    return p;
}

OwnedProblem problem_from(NamedTensors file)
{
    Contents contents(std::move(file));
    OwnedProblem problem;
    problem.q = four_axes("q", contents.take("q", Kind::floats));
    problem.k = four_axes("k", contents.take("k", Kind::floats));
    problem.v = four_axes("v", contents.take("v", Kind::floats));
    const Index B = problem.q.shape()[0], H = problem.q.shape()[1];
    if (contents.has("bias")) problem.bias = broadcastable("bias", contents.take("bias", Kind::floats));
    if (contents.has("mask")) problem.mask = broadcastable("mask", contents.take("mask", Kind::mask));
    if (contents.has("kv_lengths"))
        problem.kv_lengths = counts("kv_lengths", contents.take("kv_lengths", Kind::integers), B);
    if (contents.has("query_lengths"))
        problem.query_lengths = counts("query_lengths", contents.take("query_lengths", Kind::integers), B);
    if (contents.has("sink_logits"))
        problem.sink_logits = list("sink_logits", contents.take("sink_logits", Kind::floats), H);
    contents.expect_nothing_left();
    check(problem.problem());
    return problem;
}

OwnedProblem read_problem(const std::filesystem::path& path)
{
    NamedTensors file = read_safetensors(path);
    try {
        return problem_from(std::move(file));
    } catch (const std::invalid_argument& error) {
        refuse(path.string() + ": " + error.what());
    }
}

NamedTensors tensors_of(const OwnedProblem& problem)
{
    NamedTensors file;
    const auto add = [&file](const std::string& name, StoredTensor tensor) {
        file.tensors.emplace(name, std::move(tensor));
    };
    const auto integers = [](const std::vector<Index>& values) {
        return store(Tensor({static_cast<Index>(values.size())}, std::vector<double>(values.begin(), values.end())),
                     DType::i64);
    };
    for (const auto& [name, tensor] : {std::pair{"q", &problem.q}, {"k", &problem.k}, {"v", &problem.v}}) {
        StoredTensor copy(tensor->shape(), tensor->type());
        std::ranges::copy(tensor->bytes(), copy.bytes().begin());
        add(name, std::move(copy));
    }
    if (!problem.bias.empty()) add("bias", store(problem.bias, DType::f64));
    if (!problem.mask.empty()) add("mask", store(problem.mask, DType::boolean));
    if (!problem.kv_lengths.empty()) add("kv_lengths", integers(problem.kv_lengths));
    if (!problem.query_lengths.empty()) add("query_lengths", integers(problem.query_lengths));
    if (!problem.sink_logits.empty())
        add("sink_logits",
            store(Tensor({static_cast<Index>(problem.sink_logits.size())}, problem.sink_logits), DType::f64));
    return file;
}

void write_problem(const std::filesystem::path& path, const OwnedProblem& problem)
{
    write_safetensors(path, tensors_of(problem));
}

} // namespace headroom
