#include "experiments/layer_shapes.h"

namespace headroom {

std::vector<NamedShape> layer_shapes(const Decoder& model, const std::vector<int>& tokens, const Backend& backend)
{
    std::vector<NamedShape> shapes;
    Backend watched = backend;
    watched.attention = [&](const AttentionProblem& problem) {
        AttentionStages result = backend.attention(problem);
        if (!shapes.empty()) return result; // every layer is like the first
        const auto [B, H, Hkv, L, S, D, Dv] = check(problem);
        shapes = {{"q = x Wq", "B H L D", "a query per head and token", {B, H, L, D}},
                  {"k = x Wk", "B Hkv S D", "a key: only Hkv heads", {B, Hkv, S, D}},
                  {"v = x Wv", "B Hkv S D", "a value: only Hkv heads", {B, Hkv, S, Dv}},
                  {"scores = q k", "B H L S", "each query with each key", result.scores.shape()},
                  {"weights", "B H L S", "softmax; later tokens: 0", result.weights.shape()},
                  {"output", "B H L D", "values, weighted", result.output.shape()}};
        return result;
    };
    PackedKv memory(cache_geometry(model.config, 1, DType::f32));
    const Tensor hidden = forward(model, following({tokens}, std::vector<Index>{0}), memory, watched);
    shapes.insert(shapes.begin(), {"x", "L E", "one row per token", hidden.shape()});
    shapes.push_back({"x + output Wo", "L E", "back to the residual stream", hidden.shape()});
    return shapes;
}

} // namespace headroom
