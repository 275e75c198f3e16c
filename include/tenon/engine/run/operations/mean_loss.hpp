// operation_kind::mean_loss: the sum of an equation's values at all positions of a batch, divided by the number of positions, or
// by the sum of their counts. A position is a row, or a step of a sequence up to its length. A run on a shard of a
// batch computes its share of that batch's mean.
#pragma once

#include "tenon/engine/run/operations/operation.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::mean_loss> {
  static void forward(const places<T>& p) {
    if constexpr (backend::HasOwnMemory<Backend>) {
      constexpr auto in_shard = computes_count ? backend::loss_count::open : backend::loss_count::known;
      mean_positions(Backend{}, p.steps(), rows(p), lengths(p), values(p), counts(p), p.o.scale,
                     numbers_of_loss(p, in_shard));
    } else {
      make_mean(p);
    }
  }
  static void backward(const places<T>& p) {
    const auto gradient = p.contribution(0);
    if constexpr (backend::HasOwnMemory<Backend>) {
      positions_gradient(Backend{}, p.steps(), rows(p), lengths(p), p.o.scale,
                         p.c.losses.of_operations + p.o.number, gradient);
    } else {
      const double count = of_batch(p, sums(p).count), share = count > 0 ? p.o.scale / count : 0;
      positions_gradient(Backend{}, p.steps(), rows(p), lengths(p), static_cast<T>(share), gradient);
    }
  }

 private:
  static constexpr bool computes_count = Signature.has(Signature.present, 1);
  static void make_mean(const places<T>& p) {
    const auto [sum, count] = sums(p);
    p.c.losses.positions += count;
    if (p.c.losses.of_operations != nullptr) p.c.losses.of_operations[p.o.number] = {p.o.scale * sum, count};
    if (computes_count &&
        p.c.losses.of_operations != nullptr) {  // the other shards' counts are not known yet
      set_all(Backend{}, 1, static_cast<T>(count > 0 ? p.o.scale * sum / count : 0), p.out(0).data);
      return;
    }
    const double all = of_batch(p, count), loss = all > 0 ? p.o.scale * sum / all : 0;
    set_all(Backend{}, 1, static_cast<T>(loss), p.out(0).data);
    p.c.losses.loss += loss;
  }
  static backend::positions_sum sums(const places<T>& p) {
    return sum_positions(Backend{}, p.steps(), rows(p), lengths(p), values(p), counts(p));
  }
  static backend::operand<const T> values(const places<T>& p) { return as_source(p.in(0)); }
  static int rows(const places<T>& p) { return Signature.walks ? Signature.batch : p.c.inputs.rows; }
  static const int* lengths(const places<T>& p) {
    if constexpr (Signature.walks) return p.lengths();
    else return nullptr;
  }
  static backend::operand<const T> counts(const places<T>& p) {
    if constexpr (computes_count) return as_source(p.in(1));
    else return {};
  }
  // A shard of a batch divides by the count of the whole batch; its own may be 0.
  static double of_batch(const places<T>& p, double count) {
    return p.c.losses.valid_targets != nullptr ? p.c.losses.valid_targets[p.o.number] : count;
  }
};

}  // namespace tenon::inline v0_1::engine
