#include "tutorials/17_splitting_keys/exercise.h"

#include "reference/attention/online_softmax.h"
#include "reference/tensor/random.h"
#include "tutorials/examiner.h"
#include <numeric>

using namespace headroom;

int main()
{
    Examiner examiner;
    struct Case {
        std::string what;
        std::vector<int> keys; // of each part
        double shift;          // of all scores
    };
    for (const Case& each :
         {Case{"one part", {5}, 0}, Case{"parts of 4 and 4 keys", {4, 4}, 0},
          Case{"parts of 1, 6 and 2 keys", {1, 6, 2}, 0}, Case{"parts with large scores", {3, 4}, 900},
          Case{"parts with small scores", {3, 4}, -900}, Case{"a part without keys", {0, 3, 0}, 0},
          Case{"no keys at all", {0, 0}, 0}}) {
        Random random(17);
        OnlineSoftmax whole(3);
        std::vector<Part> parts;
        for (const int keys : each.keys) {
            OnlineSoftmax state(3);
            for (int j = 0; j < keys; ++j) {
                const double score = each.shift + random.uniform(-4, 4);
                const std::vector<double> value{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
                state.add(score, value);
                whole.add(score, value);
            }
            const SoftmaxResult result = state.finish();
            parts.push_back({result.output, result.lse, keys});
        }
        const Part got = merged(parts);
        const SoftmaxResult wanted = whole.finish();
        const int all = std::accumulate(each.keys.begin(), each.keys.end(), 0);
        examiner.that(got.keys == all, each.what + ": it says that it saw " + std::to_string(got.keys) +
                                           " keys, it saw " + std::to_string(all));
        if (got.output.size() != 3) {
            examiner.that(false, each.what + ": the output does not have three numbers");
            break;
        }
        for (std::size_t d = 0; d < 3; ++d)
            examiner.near(each.what + ": output[" + std::to_string(d) + "]", got.output.at(d), wanted.output[d]);
        examiner.that(got.lse == wanted.lse || std::fabs(got.lse - wanted.lse) <= 1e-9,
                      each.what + ": lse is " + std::to_string(got.lse) + ", it should be " +
                          std::to_string(wanted.lse));
    }
    return examiner.verdict(
        "a part weighs exp(lse), measured from the largest lse; one without keys weighs nothing.\n");
}
