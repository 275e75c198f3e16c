// drawn(seed): a network of every kind of layer, option, joint and loss. It knows which sizes fit, and nothing else of the library.
//
// All sizes of a network are different primes, or products of them, so that no exchange of two can stay unseen.
#pragma once

#include "joints.hpp"
#include "losses.hpp"
#include "places.hpp"
#include "sequences.hpp"

namespace random_networks {

inline void add_inputs(drawing& d) {
  const bool has_grid = !d.streams && d.random.chance(30);
  for (int axes = d.streams ? 1 : 1 + d.random.below(has_grid ? 2 : 3); axes > 0; --axes) {
    value v = d.new_sequence(d.prime());
    v.is_token = d.random.chance(40);
    d.add_input(v);
  }
  if (d.random.chance(50)) {
    value v = as_row(d.prime());
    v.is_token = d.random.chance(25);
    d.add_input(v);
  }
  if (has_grid) d.add_input({"", value::grid, d.prime(), false, "g", d.bound(), d.prime()});
}
// Another layer, option or joint, if there is something that it fits.
inline void add_part(drawing& d) {
  using namespace offers;
  struct offer {
    int weight;
    bool (*make)(drawing&);
    bool streams = true;
  };
  static const std::vector<offer> all{
      {8, recurrent},       {3, offers::linear}, {1, tied},          {3, elementwise}, {2, chain},
      {3, tower},           {1, embedding},      {2, seeing, false}, {1, step},        {3, attention, false},
      {2, heads},           {2, transformer},    {2, positions},     {3, windows},     {6, places, false},
      {2, pooling, false},  {2, sum_of_two},     {2, side_by_side},  {4, equation},    {1, adaptive_softmax},
      {1, offers::reading}, {1, writing, false}};
  int weights = 0;
  for (const offer& o : all) weights += o.weight;
  int at = d.random.below(weights);
  for (const offer& o : all) {
    at -= o.weight;
    if (at >= 0) continue;
    if (o.streams || !d.streams) o.make(d);
    return;
  }
}
// What nobody reads is an output; of an input, what a linear map makes of it. A second result is one now and then.
inline void add_outputs(drawing& d) {
  std::set<string> read_by_others;
  for (const part& p : d.net.parts) {
    if (p.kind == "output") read_by_others.insert(p.name);
    if (p.kind == "tied") continue;
    for (const string& source : p.sources) read_by_others.insert(node_of(source));
  }
  const std::vector<value> made = d.values;
  for (const value& v : made) {
    if (node_of(v.name) != v.name) {
      if (d.random.chance(30)) add_output(d, v.name);
    } else if (!read_by_others.contains(v.name)) {
      add_output(d, v.name.front() == 'x' ? add_linear(d, v, d.prime()).name : v.name);
    }
  }
}

inline network drawn(std::uint64_t seed) {
  drawing d(seed);
  add_inputs(d);
  for (const value& v : std::vector<value>(d.values))
    if (v.is_token) offers::add_embedding(d, v);
  const int depth = 2 + d.random.below(10) + d.nodes();
  for (int tries = 0; d.nodes() < depth && tries < 200; ++tries) add_part(d);
  if (!d.streams && d.random.chance(40)) add_training(d);
  add_outputs(d);
  return d.net;
}

}  // namespace random_networks
