#include "tests/support/catch.h"
#include "tests/support/shared_data.h"

#include <cstdlib>
#include <stdexcept>

using namespace headroom;

TEST_CASE("missing data of our own is an error, missing shared data a skip unless it is required")
{
    CHECK_THROWS_AS(test_data("no such file"), std::runtime_error);
    const char* before = std::getenv("HEADROOM_REQUIRE_SHARED_DATA");
    const std::string kept = before ? before : "";
    setenv("HEADROOM_REQUIRE_SHARED_DATA", "1", 1);
    CHECK_THROWS_AS(shared_data("no such file"), std::runtime_error);
    if (before)
        setenv("HEADROOM_REQUIRE_SHARED_DATA", kept.c_str(), 1);
    else
        unsetenv("HEADROOM_REQUIRE_SHARED_DATA");
}
