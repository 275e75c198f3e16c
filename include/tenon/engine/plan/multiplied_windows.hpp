// multiplied_windows: the network for a backend that reads the windows of a product in place.
#pragma once

#include "tenon/engine/plan/abilities.hpp"
#include "tenon/engine/plan/joined_operations.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/lowering/table.hpp"

#include <type_traits>

namespace tenon::inline v0_1::engine {

namespace detail {

// The most neighbours of windows that the backend reads in place; 0: none.
template <class Backend>
inline constexpr int most_neighbours = abilities_of<Backend>.most_multiplied_neighbours;
template <>
inline constexpr int most_neighbours<void> = 0;

// Is the output of this operation read only by one product in each of its readers?
template <class Network>
constexpr bool is_only_multiplied(const Network& net, const operation& windows) {
  const int e = windows.out[0];
  if (net.is_output(e) || net.edges[e].axis < 0 || windows.outside != 0) return false;
  bool read = false;
  for (const operation& o : net.operations)
    for (int i = 0; i < o.in.size; ++i) {
      if (o.in[i] < 0 || net.owner(o.in[i]) != e) continue;
      if (i != 0 || o.in[0] != e || !traits_of(o.kind).is_equation || o.inner >= 0) return false;
      if (sole_product(net.programs[o.program], 0) < 0) return false;
      read = true;
    }
  return read;
}
template <class Network>
constexpr bool reads_in_place(const Network& net, const operation& o, int most) {
  const int neighbours = o.over.size();
  return traits_of(o.kind).reads_neighbours && neighbours > 1 && neighbours <= most &&
         is_only_multiplied(net, o);
}

template <class Network>
constexpr Network with_multiplied_windows(const Network& network, int most) {
  Network net = network;
  for (const operation& windows : network.operations) {
    if (!reads_in_place(network, windows, most)) continue;
    for (operation& o : net.operations)
      if (!o.in.empty() && o.in[0] == windows.out[0]) {
        o.in[0] = windows.in[0];
        o.over = windows.over;
        o.axis = network.edges[windows.out[0]].axis;
      }
  }
  return net;
}
template <class G, class Objective, int Most>
inline constexpr auto network_with_multiplied_windows =
    with_multiplied_windows(joined_network_of<G, Objective>(), Most);

struct nothing_laid_out {
  static constexpr auto net = network_in<network_sizes{}>::type{};
};
// The network for this backend. Empty if the graph has an error, or if it RunsBackward and its gradient has one.
template <class G, class Objective, class Backend, bool RunsBackward = false>
constexpr const auto& network_for() {
  constexpr bool changes = [] {
    for (const operation& o : joined_network_of<G, Objective>().operations)
      if (reads_in_place(joined_network_of<G, Objective>(), o, most_neighbours<Backend>)) return true;
    return false;
  }();
  constexpr bool fits_backward = [] {
    if constexpr (RunsBackward) return !tenon::detail::problem_of_gradient<G, Objective>::wrong;
    else return true;
  }();
  if constexpr (!fits_backward) return nothing_laid_out::net;
  else if constexpr (changes) return network_with_multiplied_windows<G, Objective, most_neighbours<Backend>>;
  else return joined_network_of<G, Objective>();
}

}  // namespace detail

// How many neighbours in each window of its first input an equation reads in place; 0: the input is no windows.
constexpr int multiplied_neighbours(const operation& o) {
  return traits_of(o.kind).is_equation && o.over.size() > 1 ? o.over.size() : 0;
}

}  // namespace tenon::inline v0_1::engine
