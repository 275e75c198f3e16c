// Ranges that sessions accept: a size, elements of one type, and for numbers their memory. Not <ranges>, which costs a
// tenth of the compile time of all of Tenon.
#pragma once

#include <concepts>
#include <iterator>
#include <string_view>
#include <utility>

namespace tenon::inline v0_1::detail {

template <class R>
using element_of = std::iter_value_t<decltype(std::begin(std::declval<const R&>()))>;

template <class R>
concept SizedRange = requires(const R& r) {
  std::size(r);
  std::begin(r) != std::end(r);
  typename element_of<R>;
};

// One text: a string, a literal. It is also a range of characters, which are numbers, but is not meant as one.
template <class T>
concept OneText = std::convertible_to<const T&, std::string_view>;

}  // namespace tenon::inline v0_1::detail
