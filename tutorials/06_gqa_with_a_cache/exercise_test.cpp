#include "reference/attention/repeat_heads.h"
#include "tutorials/06_gqa_with_a_cache/exercise.h"
#include "tutorials/examiner.h"
#include <algorithm>

int main()
{
    using namespace headroom;
    Examiner examiner;
    const Index Hkv = 2, group_size = 4, D = 3;

    Tensor past({1, Hkv, 0, D}), all({1, Hkv, 5, D});
    for (Index N = 1; N <= 5; ++N) {
        Tensor added({1, Hkv, 1, D});
        for (Index h = 0; h < Hkv; ++h)
            for (Index d = 0; d < D; ++d)
                added(0, h, 0, d) = all(0, h, N - 1, d) = static_cast<double>(100 * h + 10 * N + d);

        const Keys keys = step(past, added, group_size);
        const std::string when = "after step " + std::to_string(N) + " ";
        examiner.that(keys.kept.shape() == Shape{1, Hkv, N, D}, when + "the cache holds " + to_text(keys.kept.shape()) +
                                                                    ", it should hold " + to_text({1, Hkv, N, D}));
        examiner.that(keys.read.shape() == Shape{1, Hkv * group_size, N, D},
                      when + "attention reads " + to_text(keys.read.shape()) + ", it expects " +
                          to_text({1, Hkv * group_size, N, D}));
        if (keys.kept.shape() != Shape{1, Hkv, N, D} || keys.read.shape() != Shape{1, Hkv * group_size, N, D}) break;
        for (Index h = 0; h < Hkv * group_size; ++h)
            for (Index j = 0; j < N; ++j)
                examiner.that(std::ranges::equal(keys.read.row(0, h, j), all.row(0, h / group_size, j)),
                              when + "query head " + std::to_string(h) + " reads other numbers at token " +
                                  std::to_string(j));
        past = keys.kept;
    }
    return examiner.verdict("the next step is given what this one keeps, and adds Hkv heads to it.\n");
}
