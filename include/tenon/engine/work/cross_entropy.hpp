// work::cross_entropy: the mean loss over the rows with a target, and its gradient. A run on a part of a batch
// makes its share of that batch's mean.
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
    const T share = T(1) / counted(p);
    const T total = backend::cross_entropy<C>(Backend{}, p.walked(O) * B, logits.data, logits.row,
                                              p.c.tokens[op.in[1]], share, gradient(p));
    p.c.loss = total * share;
    p.value(op.out[0]).data[0] = p.c.loss;
  }
  static void backward(places<Plan>& p) {
    if constexpr (places<Plan>::has_adjoint(op.in[0]) && own_region >= 0) {
      const binding<T> dx = p.contribution(O, 0);
      backend::copy_rows<C>(Backend{}, p.walked(O) * B, gradient(p), C, dx.data, dx.row);
    }
  }

 private:
  static constexpr int C = net.edges[op.in[0]].size;
  static constexpr int own_region = memory_of<Plan>.operations[O].loss_gradient;  // -1: the adjoint itself
  static T* gradient(const places<Plan>& p) {
    if constexpr (own_region >= 0) return p.at(own_region);
    else return p.adjoint(op.in[0]).data;
  }
  static T counted(const places<Plan>& p) {
    if (p.c.counted > 0) return T(p.c.counted);
    int n = 0;
    for (int r = 0; r < p.walked(O) * B; ++r) n += p.c.tokens[op.in[1]][r] >= 0;
    return n > 0 ? T(n) : T(1);
  }
};

}  // namespace tenon::engine
