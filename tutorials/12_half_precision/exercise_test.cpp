#include "tutorials/12_half_precision/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    headroom::Examiner examiner;
    const std::vector<std::vector<double>> rows = {{1, 2, 4}, {1, 2, -4}, {-3, -2, -1}, {0, 0, 0}, {1e-6, 0, -3e-6}};
    for (const std::vector<double>& row : rows) {
        const std::string name =
            "{" + std::to_string(row[0]) + ", " + std::to_string(row[1]) + ", " + std::to_string(row[2]) + "}";
        double largest = 0;
        for (const double number : row) largest = std::fabs(number) > largest ? std::fabs(number) : largest;
        const Quantised quantised = quantise(row);
        examiner.that(quantised.scale > 0 && std::isfinite(quantised.scale),
                      "the scale of " + name + " is not positive");
        examiner.that(quantised.integers.size() == row.size(), name + " does not have three integers");
        if (quantised.integers.size() != row.size()) break;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const int integer = quantised.integers[i];
            examiner.that(-127 <= integer && integer <= 127, name + " has an integer beyond 127");
            // Half a step is the most that rounding may cost, where 127 steps reach the largest number.
            examiner.near("number " + std::to_string(i) + " of " + name, quantised.scale * integer, row[i],
                          largest / 127 / 2 * 1.000001);
        }
    }
    return examiner.verdict("the number that is farthest from zero becomes 127 or -127; zeros need no scale.\n");
}
