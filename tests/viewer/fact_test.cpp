#include "tests/support/catch.h"
#include "viewer/picture/fact.h"

using namespace headroom;

TEST_CASE("numbers are printed with their unit and about three digits")
{
    CHECK(bytes_to_text(0) == "0 B");
    CHECK(bytes_to_text(1023) == "1023 B");
    CHECK(bytes_to_text(1024) == "1.00 KiB");
    CHECK(bytes_to_text(4.5 * 1024 * 1024) == "4.50 MiB");
    CHECK(bytes_to_text(1152921504606846976.0) == "1024 PiB");
    CHECK(to_text({.what = "", .number = 1234567, .unit = Unit::count}) == "1,234,567");
    CHECK(to_text({.what = "", .number = 12.5, .unit = Unit::percent}) == "12.5 %");
    CHECK(to_text({.what = "", .number = 0.096651}) == "0.0967");
    CHECK(to_text({.what = "", .number = -1.5e-9}) == "-1.50e-09");
}
