// What the C++ library of Debian's Emscripten (libc++ 13) lacks of C++20, as far as it is used here; included before all else.
#pragma once
#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000
#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>

namespace std {

#if _LIBCPP_VERSION < 14000
template <class To, class From> constexpr To bit_cast(const From& from) noexcept
{
    return __builtin_bit_cast(To, from);
}
#endif

// Ranges are handed to the algorithms on iterators; a projection is applied first, as the standard says.
namespace ranges {

template <class Range, class Test, class Projection = identity>
constexpr auto find_if(Range&& range, Test test, Projection of = {})
{
    return std::find_if(std::begin(range), std::end(range), [&](auto&& x) { return invoke(test, invoke(of, x)); });
}
template <class Range, class T, class Projection = identity>
constexpr auto find(Range&& range, const T& value, Projection of = {})
{
    return std::find_if(std::begin(range), std::end(range), [&](auto&& x) { return invoke(of, x) == value; });
}
template <class Range, class Test, class Projection = identity>
constexpr auto count_if(Range&& range, Test test, Projection of = {})
{
    return std::count_if(std::begin(range), std::end(range), [&](auto&& x) { return invoke(test, invoke(of, x)); });
}
template <class Range, class T, class Projection = identity>
constexpr auto count(Range&& range, const T& value, Projection of = {})
{
    return std::count_if(std::begin(range), std::end(range), [&](auto&& x) { return invoke(of, x) == value; });
}
template <class Range, class Test, class Projection = identity>
constexpr bool any_of(Range&& range, Test test, Projection of = {})
{
    return ranges::find_if(range, test, of) != std::end(range);
}
template <class Range, class Test, class Projection = identity>
constexpr bool none_of(Range&& range, Test test, Projection of = {})
{
    return !ranges::any_of(range, test, of);
}
template <class Range, class Test, class Projection = identity>
constexpr bool all_of(Range&& range, Test test, Projection of = {})
{
    return std::all_of(std::begin(range), std::end(range), [&](auto&& x) { return invoke(test, invoke(of, x)); });
}
template <class First, class Second> constexpr bool equal(First&& a, Second&& b)
{
    return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b));
}
template <class In, class Out> struct in_out_result {
    In in;
    Out out;
};
template <class Range, class Out> constexpr auto copy(Range&& range, Out out)
{
    return in_out_result<decltype(std::end(range)), Out>{std::end(range),
                                                         std::copy(std::begin(range), std::end(range), out)};
}
template <class Range, class Out, class Function> constexpr void transform(Range&& range, Out out, Function function)
{
    std::transform(std::begin(range), std::end(range), out, function);
}
template <class Range, class T> constexpr void fill(Range&& range, const T& value)
{
    std::fill(std::begin(range), std::end(range), value);
}

template <class Compare, class Projection> constexpr auto projected_order(Compare& compare, Projection& of)
{
    return [&](auto&& a, auto&& b) { return invoke(compare, invoke(of, a), invoke(of, b)); };
}
template <class Range, class Compare = std::less<>, class Projection = identity>
constexpr void sort(Range&& range, Compare compare = {}, Projection of = {})
{
    std::sort(std::begin(range), std::end(range), projected_order(compare, of));
}
template <class Range, class Compare = std::less<>, class Projection = identity>
constexpr auto max_element(Range&& range, Compare compare = {}, Projection of = {})
{
    return std::max_element(std::begin(range), std::end(range), projected_order(compare, of));
}
template <class Range, class Iterator, class Compare = std::less<>>
constexpr void nth_element(Range&& range, Iterator nth, Compare compare = {})
{
    std::nth_element(std::begin(range), nth, std::end(range), compare);
}
template <class Range, class T, class Compare = std::less<>, class Projection = identity>
constexpr auto upper_bound(Range&& range, const T& value, Compare compare = {}, Projection of = {})
{
    return std::upper_bound(std::begin(range), std::end(range), value,
                            [&](const T& v, auto&& x) { return invoke(compare, v, invoke(of, x)); });
}

} // namespace ranges
} // namespace std
#endif
