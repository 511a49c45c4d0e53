// What the test of an exercise says: the first thing that is wrong, in one line, and a hint.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>

namespace headroom {

class Examiner {
public:
    // NaN is never near anything.
    void near(const std::string& what, double got, double wanted, double bound = 1e-9)
    {
        char words[160];
        std::snprintf(words, sizeof words, "%s is %.6g, it should be %.6g", what.c_str(), got, wanted);
        that(std::fabs(got - wanted) <= bound, words);
    }
    void that(bool holds, const std::string& otherwise)
    {
        ++checks_;
        if (!holds && first_.empty()) first_ = otherwise;
    }

    // The exit code of the program: 0 solved, 1 not yet.
    int verdict(const char* hint) const
    {
        if (first_.empty()) {
            std::printf("%d checks hold. ", checks_);
            return 0;
        }
        std::printf("%s.\nHint: %s", first_.c_str(), hint);
        return 1;
    }

private:
    int checks_ = 0;
    std::string first_;
};

} // namespace headroom
