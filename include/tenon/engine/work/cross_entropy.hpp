// work::cross_entropy: the mean loss over the rows with a target, and its gradient.
#pragma once

#include "tenon/engine/places.hpp"

namespace tenon::engine {

template <class Plan, int O>
struct operation_run<Plan, O, work::cross_entropy> {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  static constexpr int B = Plan::batch;

  static void forward(places<Plan>& p) {
    const binding<T> logits = p.value(op.in[0]);
    const T total = backend::cross_entropy<net.edges[op.in[0]].size>(
        Backend{}, p.walked(O) * B, logits.data, logits.row, p.c.tokens[op.in[1]], loss_gradient(p));
    p.c.loss = total / counted(p);
    p.value(op.out[0]).data[0] = p.c.loss;
  }
  static void backward(places<Plan>& p) {
    constexpr int C = net.edges[op.in[0]].size;
    if constexpr (places<Plan>::has_adjoint(op.in[0])) {
      const T* g = loss_gradient(p);
      const T scale = T(1) / counted(p);
      const binding<T> dx = p.contribution(O, 0);
      for (int r = 0; r < p.walked(O) * B; ++r)
        for (int k = 0; k < C; ++k) dx.data[r * dx.row + k] = g[std::ptrdiff_t(r) * C + k] * scale;
    }
  }

 private:
  static T* loss_gradient(const places<Plan>& p) { return p.at(memory_of<Plan>.operations[O].loss_gradient); }
  static T counted(const places<Plan>& p) {
    int n = 0;
    for (int r = 0; r < p.walked(O) * B; ++r) n += p.c.tokens[op.in[1]][r] >= 0;
    return n > 0 ? T(n) : T(1);
  }
};

}  // namespace tenon::engine
