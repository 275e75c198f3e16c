// joined_operations: the network with fewer, larger programs. Where an equation's only reader maps its output, as in
// conv -> tanh, linear -> + residual, add -> layer_norm, both are one program: what the one stores the other need not load,
// and a small node costs nothing of its own.
#pragma once

#include "tenon/equation/join.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/lowering/rehearsal.hpp"
#include "tenon/lowering/table.hpp"

#include <algorithm>

namespace tenon::inline v0_1::engine {

namespace detail {

using ir::joined_sources;

// How many joined programs a network may have: more would cost the compiler more time than they save.
inline constexpr int most_joined = 32;

// What both operations read, and where.
struct edges_of_both : joined_sources {
  list<int, ir::max_sources> edges{};  // that the joined operation reads
  bool fit = true;                     // into that list

  constexpr edges_of_both(const operation& first, const operation& second) {
    for (int e : first.in) edges.add(e);
    for (int e : second.in) {
      int at = e == first.out[0] ? -1 : edges.find(e);
      if (at < 0 && e != first.out[0]) {
        fit = fit && edges.size < ir::max_sources;
        if (!fit) return;
        at = edges.add(e);
      }
      of_second.add(at);
    }
    size = edges.size;
  }
};

// Which operations of a network can become one with which.
template <class Network>
struct joinable {
  const Network& net;
  static constexpr int room = decltype(Network::edges)::capacity + 1;
  int maker[room]{};    // by edge: the operation that writes it; -1: none
  int readers[room]{};  // by edge: those who read it or a part of it, the caller included

  constexpr explicit joinable(const Network& of) : net(of) {
    for (int e = 0; e < net.edges.size; ++e) {
      maker[e] = -1;
      readers[e] = net.edges[e].whole >= 0 ? 2 : 0;  // never 1
    }
    for (int o = 0; o < net.operations.size; ++o) {
      for (int e : net.operations[o].out) maker[e] = o;
      count(net.operations[o], 1);
    }
    for (int e : net.outputs) ++readers[net.owner(e)];
    for (int e : net.losses) ++readers[net.owner(e)];
    for (int e = 0; e < net.edges.size; ++e)
      if (net.edges[e].whole >= 0) readers[net.owner(e)] += 2;  // a part is memory of the whole
  }
  // Counts an operation once for each edge that it reads.
  constexpr void count(const operation& o, int times) {
    for (int i = 0; i < o.in.size; ++i)
      if (o.in[i] >= 0 && o.in.find(o.in[i]) == i) readers[net.owner(o.in[i])] += times;
  }
  // The axis that an operation runs along; -1: none.
  constexpr int axis(const operation& o) const {
    for (int e : o.in)
      if (net.edges[e].axis >= 0) return net.edges[e].axis;
    return o.axis;
  }
  constexpr bool is_plain(const operation& o) const {
    if (!traits_of(o.kind).is_equation || traits_of(o.kind).is_loop || o.inner >= 0 || o.out.size != 1)
      return false;
    for (int e : o.in)
      if (e < 0) return false;
    return has_only_products_and_maps(net.programs[o.program]);
  }
  // Do both have a parameter in the same place? The gradients of vectors that run together are added up by several threads at once.
  constexpr bool share_parameters(const operation& a, const operation& b) const {
    const auto owner = [&](int p) { return net.parameters[p].tied_to >= 0 ? net.parameters[p].tied_to : p; };
    for (int p : a.parameters)
      for (int q : b.parameters)
        if (owner(p) == owner(q)) return true;
    return false;
  }
  static constexpr bool is_multiplied_in_place(const operation& o) {
    return traits_of(o.kind).reads_neighbours || traits_of(o.kind).is_table;
  }
  // May the operation that makes input i of `second` become one with it?
  constexpr bool joins(const operation& second, int i) const {
    const int e = second.in[i];
    const ir::edge& between = net.edges[e];
    if (readers[e] != 1 || maker[e] < 0 || between.layers > 1 || between.is_token()) return false;
    const operation& first = net.operations[maker[e]];
    if (!is_plain(first) || first.out[0] != e || axis(first) != between.axis || axis(second) != between.axis)
      return false;
    const ir::program_view a = net.programs[first.program], b = net.programs[second.program];
    for (int j = 0; j < second.in.size; ++j) {
      const bool is_same_at_all_steps = j < b.varies.size && b.varies[j] != ir::domain::rows;
      if (second.in[j] == e && (is_same_at_all_steps || !is_only_mapped(b, j))) return false;
    }
    // Windows and rows of a table are not stored if they are the first input, and only multiplied: they stay the first.
    const int first_maker = second.in[0] == e ? -1 : maker[second.in[0]];
    const bool stays_first =
        first_maker >= 0 && is_multiplied_in_place(net.operations[first_maker]) && sole_product(b, 0) >= 0;
    return !stays_first && !share_parameters(first, second) &&
           a.code.size + b.code.size <= ir::surely_small &&
           a.symbols.size + b.symbols.size <= ir::max_symbols &&
           a.own.size + b.own.size <= decltype(ir::program::own)::capacity &&
           edges_of_both(first, second).fit;
  }
  constexpr bool has_any() const {
    for (const operation& o : net.operations)
      for (int i = 0; i < o.in.size && is_plain(o); ++i)
        if (joins(o, i)) return true;
    return false;
  }
};

// Two programs of a network that have been joined.
struct joined_pair {
  int first = -1, second = -1;
  joined_sources sources{};
  int both = -1;  // their program
};

template <class Network>
struct joining {
  Network& net;
  joinable<Network> found{net};
  joined_pair pairs[most_joined]{};
  int known = 0;  // of them
  list<bool, decltype(Network::operations)::capacity>
      gone{};  // operations that have become part of a later one

  // The number of the program of both; -1: there are too many.
  constexpr int program_of_both(int first, int second, const joined_sources& sources) {
    for (int p = 0; p < known; ++p)
      if (pairs[p].first == first && pairs[p].second == second && pairs[p].sources == sources)
        return pairs[p].both;
    if (known == most_joined) return -1;
    const int both = net.programs.add(join(net.programs[first], net.programs[second], sources));
    pairs[known++] = {first, second, sources, both};
    return both;
  }
  constexpr bool become_one(int o, operation& second) {
    const operation& first = net.operations[o];
    const edges_of_both sources(first, second);
    const int both = program_of_both(first.program, second.program, sources);
    if (both < 0) return false;
    found.count(first, -1);
    found.count(second, -1);
    auto parameters = first.parameters;
    for (int p : second.parameters) parameters.add(p);
    second.program = both;
    second.in = sources.edges;
    second.parameters = parameters;
    found.count(second, 1);
    gone[o] = true;
    return true;
  }
  constexpr void run() {
    for (int o = 0; o < net.operations.size; ++o) gone.add(false);
    for (operation& second : net.operations)
      for (int i = found.is_plain(second) ? 0 : second.in.size; i < second.in.size;)
        i = found.joins(second, i) && become_one(found.maker[second.in[i]], second) ? 0 : i + 1;
    keep_what_is_left();
  }
  // Takes out the operations that are gone, and the programs that no operation runs.
  constexpr void keep_what_is_left() {
    const auto operations = net.operations;
    const auto programs = net.programs;
    net.operations = {};
    net.programs = {};
    list<int, decltype(Network::programs)::capacity> place;
    for (int p = 0; p < programs.size; ++p) place.add(-1);
    for (int o = 0; o < operations.size; ++o) {
      if (gone[o]) continue;
      int& code = net.operations[net.operations.add(operations[o])].program;
      if (code < 0) continue;
      if (place[code] < 0) place[code] = net.programs.add(programs[code]);
      code = place[code];
    }
  }
};

// The sizes of a network while its operations are joined.
constexpr ir::network_sizes room_to_join(ir::network_sizes sizes) {
  sizes.programs += std::min(sizes.operations, most_joined);
  sizes.longest_program = std::max(sizes.longest_program, ir::surely_small);
  return sizes;
}
template <class G, class Objective>
inline constexpr auto joined_in_large_room = [] {
  constexpr const auto& net = network_of<G, Objective>;
  typename ir::network_in<room_to_join(sizes_of(net))>::type joined;
  copy_network(net, joined);
  joining<decltype(joined)>{joined}.run();
  return joined;
}();
template <class G, class Objective>
inline constexpr auto joined_network = [] {
  typename ir::network_in<sizes_of(joined_in_large_room<G, Objective>)>::type joined;
  copy_network(joined_in_large_room<G, Objective>, joined);
  return joined;
}();

// The network of a graph with joined operations.
template <class G, class Objective>
constexpr const auto& joined_network_of() {
  constexpr bool joins = joinable(network_of<G, Objective>).has_any();
  if constexpr (joins) return joined_network<G, Objective>;
  else return network_of<G, Objective>;
}

}  // namespace detail

}  // namespace tenon::inline v0_1::engine
