// named(theta): the parameters of a graph as a Boost.Hana map from names to views, for algorithms that want
// each parameter as a compile-time entry: hana::for_each, hana::fold, m[parameter_key<"logits.bias">].
#pragma once

#include "tenon/meta/hana.hpp"
#include "tenon/parameters/parameters.hpp"

namespace tenon::inline v0_1 {

namespace detail {
template <class G, int P>
struct parameter_name {
  static constexpr name value = network_of<G>.parameters[P].path;
};
template <class G, class Block>
auto named(Block& theta) {
  return [&]<int... P>(std::integer_sequence<int, P...>) {
    return hana::make_map(
        hana::make_pair(hana_string<parameter_name<G, P>>(), engine::parameter_access::get<P>(theta))...);
  }
  (std::make_integer_sequence<int, Block::table.size>{});
}
}  // namespace detail

// Views into theta: [rows, columns] or [rows]. They are valid as long as theta is, until it is moved from or another
// block is moved into it. A non-const theta counts as opened for writing.
template <concepts::Graph G, class T>
auto named(parameters<G, T>& theta) {
  return detail::named<G>(theta);
}
template <concepts::Graph G, class T>
auto named(const parameters<G, T>& theta) {
  return detail::named<G>(theta);
}

}  // namespace tenon::inline v0_1
