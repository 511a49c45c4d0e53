// Static scales come from another text, so chunks change nothing; what that text did not reach is stored as its largest.
#include "reference/decoder/calibration.h"
#include "tests/support/catch.h"

#include "reference/decoder/generate.h"
#include "tests/decoder/tiny.h"
#include <cmath>

using namespace headroom;

namespace {

const std::vector<int> text{1, 5, 39, 8, 17, 22, 3, 3, 30, 11, 12, 7, 2};
const std::vector<int> other{1,  9,  13, 4,  25, 31, 6,  14, 39, 38, 37, 36, 35, 34, 33, 32, 30, 29, 28, 27,
                             26, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 12, 11, 10, 8,  7,  5,  3,  2,  0};

CacheChoice i8(const Decoder& model, Scaling scaling)
{
    return {.kind = "growing",
            .type = DType::i8,
            .scaling = scaling,
            .scales = calibrated_scales(model, other, DType::i8, scaling, reference_backend())};
}

} // namespace

TEST_CASE("each layer has its own static scales, as many as the scaling has, and the usual one has none")
{
    const Decoder model = tiny_decoder();
    const auto count = [&](Scaling scaling) {
        std::vector<std::size_t> sizes;
        for (const StaticScales& layer : i8(model, scaling).scales) {
            sizes.push_back(layer.k.size());
            sizes.push_back(layer.v.size());
        }
        return sizes;
    };
    CHECK(count(Scaling::per_tensor) == std::vector<std::size_t>{1, 1, 1, 1});
    CHECK(count(Scaling::per_head) == std::vector<std::size_t>{2, 2, 2, 2});
    CHECK(count(Scaling::per_channel) == std::vector<std::size_t>{8, 0, 8, 0}); // V: a scale per head and token
    CHECK(count(Scaling::per_head_and_token).empty());
    const auto scales = i8(model, Scaling::per_channel).scales;
    CHECK(scales[0].k != scales[1].k);
    const KvGeometry g = make_cache(model.config, 1, i8(model, Scaling::per_head))->geometry();
    CHECK(g.scales[1].v == i8(model, Scaling::per_head).scales[1].v);
}

TEST_CASE("with static scales from another text any chunking has the same bits, and is near to what f32 gives")
{
    const Decoder model = tiny_decoder();
    const Logits exact = logits_without_cache(model, text);
    for (const Scaling scaling : {Scaling::per_tensor, Scaling::per_head, Scaling::per_channel}) {
        INFO(name(scaling));
        const auto through = [&](Index chunk) {
            const auto cache = make_cache(model.config, 1, i8(model, scaling));
            return logits_in_chunks(model, text, chunk, *cache);
        };
        const Logits whole = through(static_cast<Index>(text.size()));
        for (const Index chunk : {1, 2, 5}) CHECK(through(chunk) == whole);
        double most = 0;
        for (std::size_t t = 0; t < whole.size(); ++t)
            for (std::size_t i = 0; i < whole[t].size(); ++i) {
                const double off = std::fabs(whole[t][i] - exact[t][i]);
                if (!(off <= most)) most = off;
            }
        CHECK(most > 0);
        CHECK(most < 0.5);
    }
}
