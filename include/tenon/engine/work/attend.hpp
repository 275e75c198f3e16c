// work::time_softmax and work::weighted_sum: attention over time.
#pragma once

#include "tenon/engine/places.hpp"

namespace tenon::engine {

template <class Plan, int O>
struct operation_run<Plan, O, work::time_softmax> {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  static constexpr int B = Plan::batch;

  static void forward(places<Plan>& p) {
    backend::time_softmax(Backend{}, p.walked(O), B, p.c.lengths[p.axis_of(O)], p.value(op.in[0]).data,
                          p.value(op.out[0]).data);
  }
  static void backward(places<Plan>& p) {
    if constexpr (places<Plan>::has_adjoint(op.in[0]))
      backend::time_softmax_gradient(Backend{}, p.walked(O), B, p.value(op.out[0]).data,
                                     p.adjoint(op.out[0]).data, p.contribution(O, 0).data);
  }
};

template <class Plan, int O>
struct operation_run<Plan, O, work::weighted_sum> {
  using T = typename Plan::scalar;
  using Backend = typename Plan::backend;
  static constexpr const auto& net = Plan::net;
  static constexpr const operation& op = net.operations[O];
  static constexpr int B = Plan::batch;

  static void forward(places<Plan>& p) {
    const binding<T> values = p.value(op.in[1]), y = p.value(op.out[0]);
    backend::weighted_sum<net.edges[op.out[0]].size>(Backend{}, p.walked(O), B, p.value(op.in[0]).data,
                                                     values.data, values.row, y.data, y.row);
  }
  static void backward(places<Plan>& p) {
    constexpr int D = net.edges[op.out[0]].size;
    const binding<T> values = p.value(op.in[1]), g = p.adjoint(op.out[0]);
    // a side that nobody wants goes to scratch
    const binding<T> weights_share = share(p, 0), values_share = share(p, 1);
    backend::weighted_sum_gradient<D>(Backend{}, p.walked(O), B, p.value(op.in[0]).data, values.data,
                                      values.row, g.data, g.row, weights_share.data, values_share.data,
                                      values_share.row);
  }

 private:
  static binding<T> share(const places<Plan>& p, int i) {
    return places<Plan>::has_adjoint(op.in[i]) ? p.contribution(O, i) : p.private_contribution(O, i);
  }
};

}  // namespace tenon::engine
