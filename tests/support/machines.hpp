// The two machines on which every engine test runs: the oracle in double, and the CPU backend in float.
#pragma once

#include "tenon/engine/session/session.hpp"

namespace tenon::test {

template <class Backend, class T>
struct machine {
  using backend = Backend;
  using scalar = T;
  template <concepts::Graph G, class... Options>
  using inference = tenon::inference<G, on<Backend>, scalar_type<T>, Options...>;
  template <concepts::Graph G, class Objective, class... Options>
  using differentiation = tenon::differentiation<G, Objective, on<Backend>, scalar_type<T>, Options...>;
  template <concepts::Graph G>
  using parameters = tenon::parameters<G, T>;
};
using oracle = machine<backend::reference, double>;
using processor = machine<backend::cpu, float>;

}  // namespace tenon::test
