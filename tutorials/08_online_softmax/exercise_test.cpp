#include "tutorials/08_online_softmax/exercise.h"
#include "tutorials/examiner.h"

#include <cmath>
#include <vector>

int main()
{
    headroom::Examiner examiner;
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<std::vector<double>> rows = {{3, 1, 2},    {1, 3, 2},    {1, 2, 3},      {-1000, 1000, 999},
                                                   {-inf, 1, 2}, {2, -inf, 1}, {-inf, -inf, 0}};
    for (const std::vector<double>& scores : rows) {
        std::string name = "of scores";
        double max = -inf, sum = 0, weighted = 0;
        for (const double score : scores) {
            char words[16];
            std::snprintf(words, sizeof words, " %g", score);
            name += words;
            max = score > max ? score : max;
        }
        Running running;
        for (std::size_t j = 0; j < scores.size(); ++j) {
            const double value = 10 * static_cast<double>(j + 1), weight = std::exp(scores[j] - max);
            sum += weight;
            weighted += weight * value;
            add(running, scores[j], value);
        }
        examiner.near("the largest score " + name, running.max, max);
        examiner.near("the sum " + name, running.sum, sum);
        examiner.near("the output " + name, running.weighted / running.sum, weighted / sum);
    }
    return examiner.verdict("when the maximum rises from a to b, all that was gathered shrinks by exp(a - b).\n");
}
