// Small helpers of the structure tests: a network's edges and parameters, found by name.
#pragma once

#include <tenon/graph/graph.hpp>

#include <string_view>

namespace tenon::test {

using namespace tenon::ir;

template <class Network>
constexpr bool has_parameter(const Network& net, std::string_view path, int rows, int columns) {
  const int p = net.find_parameter(path);
  return p >= 0 && net.parameters[p].rows == rows && net.parameters[p].columns == columns;
}
/// [time?, size] features; time -1: no time axis, otherwise its bound.
template <class Network>
constexpr bool has_edge(const Network& net, int e, int size, int time, int layers = 1) {
  const edge& found = net.edges[e];
  return found.size == size && found.layers == layers &&
         (found.axis < 0 ? -1 : net.axes[found.axis].bound) == time;
}
template <class Network>
constexpr int parameter_count(const Network& net) {
  int total = 0;
  for (const parameter& p : net.parameters) total += p.tied_to < 0 ? p.elements() : 0;
  return total;
}
template <class Network>
constexpr int count(const Network& net, operation_kind kind) {
  int n = 0;
  for (const operation& o : net.operations) n += o.kind == kind ? 1 : 0;
  return n;
}
/// No operation reads what a later one writes.
template <class Network>
constexpr bool is_in_order(const Network& net) {
  bool written[1024]{};
  for (int e : net.inputs) written[net.owner(e)] = true;
  for (const operation& o : net.operations) {
    for (int e : o.in)
      if (e >= 0 && !written[net.owner(e)]) return false;
    for (int e : o.out) written[net.owner(e)] = true;
  }
  return true;
}

}  // namespace tenon::test
