#include "reference/tensor/print.h"
#include "tests/support/catch.h"

using namespace headroom;

TEST_CASE("a shape is described with the names of its axes")
{
    CHECK(describe("q", "B H L D", {1, 8, 4, 8}) == "q [B=1, H=8, L=4, D=8]");
    CHECK(describe("x", "", {}) == "x []");
    CHECK_THROWS_WITH(describe("q", "B H D", {1, 8, 4, 8}), containing("q of shape [1, 8, 4, 8]"));
}

TEST_CASE("a tensor is printed row by row, the matrices of a larger one under their indices")
{
    CHECK(print("weights", "L S", Tensor({2, 3}, {0.25, 0.75, 0, 0.1, 0.2, 0.7})) ==
          "weights [L=2, S=3]\n"
          "     0.2500    0.7500         0\n"
          "     0.1000    0.2000    0.7000\n");
    CHECK(print("v", "H S D", Tensor({2, 1, 1}, {1, -2})) == "v [H=2, S=1, D=1]\n"
                                                             "  H=0\n"
                                                             "     1.0000\n"
                                                             "  H=1\n"
                                                             "    -2.0000\n");
}

TEST_CASE("of long axes the two ends are printed, and empty tensors have no rows")
{
    Tensor row({20});
    for (Index i = 0; i < 20; ++i) row(i) = static_cast<double>(i + 1);
    const std::string text = print("x", "D", row);
    CHECK_THAT(text, containing("4.0000     ...   17.0000"));
    CHECK(text.find(" 5.0000") == std::string::npos);
    CHECK_THAT(print("m", "L D", Tensor({100, 1}, 1.0)), containing("\n  ...\n"));
    CHECK(print("k", "S D", Tensor({0, 4})) == "k [S=0, D=4]\n");
}
