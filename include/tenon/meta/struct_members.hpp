// The members of a struct, by number and by name, of a struct that BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT
// describes. C++20 has no reflection: without one of these macros a program cannot know the name of a member.
#pragma once

#include "tenon/meta/list.hpp"
#include "tenon/meta/text.hpp"

#include <boost/hana/accessors.hpp>
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/at.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/string.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::ir {

template <class S>
concept AdaptedStruct = boost::hana::Struct<S>::value;

template <AdaptedStruct S>
struct struct_members {
  static constexpr auto accessors = boost::hana::accessors<S>();
  static constexpr int count = static_cast<int>(decltype(boost::hana::length(accessors))::value);

  template <int K>
  static constexpr text name = [] {
    using characters_of = std::remove_cvref_t<decltype(boost::hana::first(boost::hana::at_c<K>(accessors)))>;
    constexpr std::size_t size = decltype(boost::hana::length(characters_of{}))::value;
    text<size + 1> exact;
    for (std::size_t k = 0; k < size; ++k) exact.chars[k] = characters_of::c_str()[k];
    return exact;
  }();
  static constexpr auto names = []<int... K>(std::integer_sequence<int, K...>) {
    list<ir::name, count> all;
    (all.add(ir::name(name<K>)), ...);
    return all;
  }
  (std::make_integer_sequence<int, count>{});

  // Member K of a struct, const or not.
  template <int K, class Struct>
  static constexpr auto& of(Struct& s) {
    return boost::hana::second(boost::hana::at_c<K>(accessors))(s);
  }
  template <int K>
  using type = std::remove_cvref_t<decltype(of<K>(std::declval<S&>()))>;
};

}  // namespace tenon::inline v0_1::ir
