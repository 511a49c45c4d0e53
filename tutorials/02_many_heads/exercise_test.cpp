#include "tutorials/02_many_heads/exercise.h"
#include "tutorials/examiner.h"

int main()
{
    using namespace headroom;
    Examiner examiner;
    for (const Index L : {1, 2, 5}) {
        // Number 100 h + 10 i + d of head h, token i says where it comes from.
        Tensor output({1, 3, L, 2});
        for (Index h = 0; h < 3; ++h)
            for (Index i = 0; i < L; ++i)
                for (Index d = 0; d < 2; ++d) output(0, h, i, d) = static_cast<double>(100 * h + 10 * i + d);
        const Tensor rows = join_heads(output);
        examiner.that(rows.shape() == Shape{L, 6}, "the shape is " + to_text(rows.shape()) + ", not [L, H D]");
        if (rows.shape() != Shape{L, 6}) break;
        for (Index i = 0; i < L; ++i)
            for (Index h = 0; h < 3; ++h)
                for (Index d = 0; d < 2; ++d)
                    examiner.near("with L = " + std::to_string(L) + ", rows(" + std::to_string(i) + ", " +
                                      std::to_string(h * 2 + d) + ")",
                                  rows(i, h * 2 + d), output(0, h, i, d));
    }
    return examiner.verdict("row i begins with token i of head 0, then comes token i of head 1.\n");
}
