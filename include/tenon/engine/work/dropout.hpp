// work::dropout: zeros and a scale in training, the identity in inference. Every operation and every step has
// its own stream.
#pragma once

#include "tenon/engine/places.hpp"

namespace tenon::engine {

template <class Plan, int O>
struct operation_run<Plan, O, work::dropout> {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  static constexpr int B = Plan::batch;

  static void forward(places<Plan>& p) {
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> x = p.value(op.in[0]), y = p.value(op.out[0]);
    const int rows = p.steps_of(op.out[0]) * B;
    if constexpr (!Plan::training) {
      backend::copy_rows<D>(Backend{}, rows, x.data, x.row, y.data, y.row);
    } else {
      if (x.row != D) backend::copy_rows<D>(Backend{}, rows, x.data, x.row, y.data, y.row);
      backend::dropout(Backend{}, std::ptrdiff_t(rows) * D, op.rate, p.c.seed, stream(p),
                       x.row != D ? y.data : x.data, y.data);
    }
  }
  static void backward(places<Plan>& p) {
    if constexpr (places<Plan>::has_adjoint(op.in[0])) {
      constexpr int D = net.edges[op.out[0]].size;
      const binding<T> g = p.adjoint(op.out[0]), dx = p.contribution(O, 0);
      static_assert(net.edges[op.out[0]].whole < 0);
      const int rows = p.steps_of(op.out[0]) * B;
      backend::dropout(Backend{}, std::ptrdiff_t(rows) * D, op.rate, p.c.seed, stream(p), g.data, dx.data);
    }
  }

 private:
  static std::uint64_t stream(const places<Plan>& p) {
    return (p.c.step << 16) | static_cast<std::uint64_t>(O);
  }
};

}  // namespace tenon::engine
