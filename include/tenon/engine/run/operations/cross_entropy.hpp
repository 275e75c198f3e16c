// operation_kind::cross_entropy: the mean loss over the rows with a target, and its gradient. A run on a shard of a batch
// computes its share of that batch's mean.
#pragma once

#include "tenon/engine/run/operations/operation.hpp"

namespace tenon::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::cross_entropy> {
  static void forward(const places<T>& p) {
    const operand<T> logits = p.in(0);
    if constexpr (backend::HasOwnMemory<Backend>) {
      mean_cross_entropy<classes>(Backend{}, rows(p), logits.data, logits.row, p.tokens(), p.o.scale,
                                  gradient(p), numbers_of_loss(p));
    } else {
      make_mean(p, logits);
    }
  }
  static void backward(const places<T>& p) {
    if constexpr (Signature.has(Signature.requires_adjoint, 0) && Signature.owns_gradient) {
      const operand<T> dx = p.contribution(0);
      copy_rows<classes>(Backend{}, rows(p), gradient(p), classes, dx.data, dx.row);
    }
  }

 private:
  static void make_mean(const places<T>& p, const operand<T>& logits) {
    const double targets = count_tokens(Backend{}, rows(p), p.tokens());
    const double valid = p.c.losses.valid_targets != nullptr ? p.c.losses.valid_targets[p.o.number] : targets;
    const double share = p.o.scale / (valid > 0 ? valid : 1);
    const double total = sum_cross_entropy<classes>(Backend{}, rows(p), logits.data, logits.row, p.tokens(),
                                                    static_cast<T>(share), gradient(p));
    set_all(Backend{}, 1, static_cast<T>(total * share), p.out(0).data);
    p.c.losses.loss += total * share;
    p.c.losses.positions += targets;
    if (p.c.losses.of_operations != nullptr)
      p.c.losses.of_operations[p.o.number] = {p.o.scale * total, targets};
  }
  static constexpr int classes = Signature.features[0];
  static int rows(const places<T>& p) { return p.steps() * Signature.batch; }
  static T* gradient(const places<T>& p) {
    if constexpr (Signature.owns_gradient) return p.at(region_kind::loss_gradient);
    else return p.sum(0).data;
  }
};

}  // namespace tenon::engine
