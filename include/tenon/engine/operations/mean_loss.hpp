// work::mean_loss: the mean of what an equation says at each position of a batch, weighted where it gives weights. A
// position is a row, or a step of a sequence up to its length. A run on a part of a batch makes its share of that
// batch's mean.
#pragma once

#include "tenon/engine/operations/operation.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_facts Facts, class Program>
struct operation_run<T, Backend, Facts, Program, work::mean_loss> {
  static void forward(const places<T>& p) {
    const auto [sum, weight] =
        backend::sum_positions(Backend{}, p.steps(), rows(p), lengths(p), values(p), weights(p));
    const double loss = weight > 0 ? p.o.scale * sum / counted(p, weight) : 0;
    p.out(0).data[0] = static_cast<T>(loss);
    p.c.loss += loss;
  }
  static void backward(const places<T>& p) {
    const auto [sum, weight] =
        backend::sum_positions(Backend{}, p.steps(), rows(p), lengths(p), values(p), weights(p));
    const double share = weight > 0 ? p.o.scale / counted(p, weight) : 0;
    backend::share_positions(Backend{}, p.steps(), rows(p), lengths(p), static_cast<T>(share), weights(p),
                             detail::as_operand(p.share(0)));
  }

 private:
  static int rows(const places<T>& p) { return Facts.walks ? Facts.batch : p.c.rows; }
  static const int* lengths(const places<T>& p) {
    if constexpr (Facts.walks) return p.lengths();
    else return nullptr;
  }
  static backend::operand<const T> values(const places<T>& p) {
    return detail::as_operand(as_source(p.in(0)));
  }
  static backend::operand<const T> weights(const places<T>& p) {
    if constexpr (Facts.has(Facts.given, 1)) return detail::as_operand(as_source(p.in(1)));
    else return {};
  }
  // Without weights, the positions of the whole batch.
  static double counted(const places<T>& p, double weight) {
    return p.c.counted != nullptr ? p.c.counted[p.o.number] : weight;
  }
};

}  // namespace tenon::engine
