// Catch2, whichever of its versions 2 and 3 is installed.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
#include <string>

namespace headroom {

inline auto containing(const std::string& text) // for CHECK_THROWS_WITH
{
#if __has_include(<catch2/catch_all.hpp>)
    return Catch::Matchers::ContainsSubstring(text);
#else
    return Catch::Matchers::Contains(text);
#endif
}

} // namespace headroom
