// What blocks leave behind where they share the keys of a row: which keys, and that the parts merge to the answer.
#include "experiments/tracing.h"
#include "reference/verification/recipe.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace headroom;

namespace {

Recipe ragged(const Claims& claims)
{
    Recipe r{.B = 3, .H = 6, .Hkv = 2, .L = 2, .S = 700, .D = 64};
    r.type = claims.kv_types[0];
    r.q_type = byte_size(r.type) == 1 ? claims.q_types[0] : r.type;
    if (byte_size(r.type) == 1) r.scaling = Scaling::per_head_and_token;
    r.lengths = {700, 0, 131};
    return r;
}

// The bytes of K that a block touched lie in the rows of the part's keys.
void check_keys(const TracedStep& step, const KernelPart& part)
{
    const KernelTrace& walk = step.launches.front();
    for (const TracedBlock& b : walk.blocks) {
        if (b.block != static_cast<std::uint32_t>(part.block) ||
            walk.buffers[static_cast<std::size_t>(b.buffer)].label != "k")
            continue;
        CHECK(static_cast<double>(b.first) <= step.k_row(part.b, part.hkv, part.from));
        CHECK(static_cast<double>(b.end) >= step.k_row(part.b, part.hkv, part.to - 1) + 1);
    }
}

} // namespace

TEST_CASE("the parts of every row hold each key once and merge to its output and lse")
{
    int with_parts = 0;
    for (const cuda::TraceableStep& traceable : cuda::traceable_steps()) {
        if (!traceable.name.starts_with("decode/")) continue;
        const PosedProblem posed(ragged(traceable.claims));
        const TracedStep step = traced(traceable, posed.problem(), 0);
        INFO(step.step);
        if (step.parts.empty()) continue;
        ++with_parts;
        const Index group = step.shape.group_size();
        for (Index b = 0; b < step.shape.B; ++b)
            for (Index hkv = 0; hkv < step.shape.Hkv; ++hkv) {
                Index keys = 0, parts = 0;
                std::vector<double> share(static_cast<std::size_t>(group * step.shape.L)), merged(share.size());
                for (std::size_t n = 0; n < step.parts.size(); ++n) {
                    const KernelPart& part = step.parts[n];
                    if (part.b != b || part.hkv != hkv) continue;
                    CHECK(part.from == keys); // in order, and none left out
                    keys = part.to;
                    ++parts;
                    if (part.to > part.from) check_keys(step, part);
                    for (Index g = 0; g < group; ++g)
                        for (Index i = 0; i < step.shape.L; ++i) {
                            const auto row = static_cast<std::size_t>(g * step.shape.L + i);
                            const Index m = static_cast<Index>(n);
                            share[row] += step.part_share(m, g, i);
                            if (step.part_sum(m, g, i) > 0)
                                merged[row] +=
                                    step.part_share(m, g, i) * step.part_output(m, g, i, 3) / step.part_sum(m, g, i);
                        }
                }
                if (parts == 0) continue; // one block had the whole row
                CHECK(keys == step.lengths[static_cast<std::size_t>(b)]);
                for (Index g = 0; g < group; ++g)
                    for (Index i = 0; i < step.shape.L; ++i) {
                        const auto row = static_cast<std::size_t>(g * step.shape.L + i);
                        CHECK(share[row] == Approx(keys ? 1 : 0));
                        CHECK(merged[row] == Approx(step.output(b, hkv * group + g, i, 3)).margin(1e-5));
                    }
            }
    }
    CHECK(with_parts == 7); // 04 to 10
}
