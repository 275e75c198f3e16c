// Names as strings of Boost.Hana, so that tables of a network become Hana maps.
#pragma once

#include "tenon/meta/namespaces.hpp"
#include "tenon/meta/text.hpp"

#include <boost/hana/at_key.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/map.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>

#include <utility>

namespace tenon::inline v0_1::ir {

namespace hana = boost::hana;

// The Hana string with the characters of Source::value, a name.
template <class Source>
constexpr auto hana_string() {
  return []<std::size_t... I>(std::index_sequence<I...>) { return hana::string_c<Source::value.chars[I]...>; }
  (std::make_index_sequence<static_cast<std::size_t>(Source::value.size)>{});
}

// The key of a name in such a map: parameter_key<"logits.bias">.
template <text Name>
struct key_source {
  static constexpr name value = Name;
};
template <text Name>
inline constexpr auto parameter_key = hana_string<key_source<Name>>();

}  // namespace tenon::inline v0_1::ir

namespace tenon::inline v0_1 {
using ir::parameter_key;
}  // namespace tenon::inline v0_1
