// work::time_softmax and work::weighted_sum: attention over time.
#pragma once

#include "tenon/engine/work/operation.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::time_softmax> {
  static void forward(const places<T>& p) {
    backend::time_softmax(Backend{}, p.steps(), Facts.batch, p.lengths(), p.in(0).data, p.out(0).data);
  }
  static void backward(const places<T>& p) {
    if constexpr (Facts.has(Facts.wanted, 0))
      backend::time_softmax_gradient(Backend{}, p.steps(), Facts.batch, p.out(0).data, p.adjoint(0).data,
                                     p.share(0).data);
  }
};

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::weighted_sum> {
  static void forward(const places<T>& p) {
    const binding<T> values = p.in(1), y = p.out(0);
    backend::weighted_sum<Facts.size>(Backend{}, p.steps(), Facts.batch, p.in(0).data, values.data,
                                      values.row, y.data, y.row);
  }
  static void backward(const places<T>& p) {  // a side that nobody wants goes to memory of its own
    const binding<T> values = p.in(1), g = p.adjoint(0), values_share = p.share(1);
    backend::weighted_sum_gradient<Facts.size>(Backend{}, p.steps(), Facts.batch, p.in(0).data, values.data,
                                               values.row, g.data, g.row, p.share(0).data, values_share.data,
                                               values_share.row);
  }
};

}  // namespace tenon::engine
