#include "tutorials/01_one_query/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    headroom::Examiner examiner;
    for (const double large : {0.0, 2000.0, -2000.0}) {
        const std::vector<double> weights = softmax({large + 2, large, large + 1});
        const std::string scores = "softmax(" + std::to_string(static_cast<int>(large)) + " + {2, 0, 1})";
        examiner.that(weights.size() == 3, scores + " does not have three weights");
        if (weights.size() != 3) break;
        examiner.near("the first weight of " + scores, weights[0], 0.6652409557748218);
        examiner.near("the second weight of " + scores, weights[1], 0.09003057317038046);
        examiner.near("the third weight of " + scores, weights[2], 0.24472847105479764);
    }
    const std::vector<double> two = softmax({7 + std::log(3.0), 7});
    examiner.that(two.size() == 2, "softmax({7 + log 3, 7}) does not have two weights");
    if (two.size() == 2) examiner.near("the first weight of softmax({7 + log 3, 7})", two[0], 0.75);
    return examiner.verdict("a softmax does not change when the same number is taken from every score.\n");
}
