// operation_kind::cross_entropy: the mean loss over the rows with a target, and its gradient. A run on a shard of a batch
// computes its share of that batch's mean.
#pragma once

#include "tenon/engine/run/crew.hpp"
#include "tenon/engine/run/operations/operation.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct operation_run<T, Backend, Signature, Program, operation_kind::cross_entropy> {
  static void forward(const places<T>& p) {
    const operand<T> logits = p.in(0);
    if constexpr (backend::HasOwnMemory<Backend>) {
      mean_cross_entropy<classes>(Backend{}, rows(p), logits.data, logits.row, p.tokens(), p.o.scale,
                                  gradient(p), numbers_of_loss(p, backend::loss_count::known));
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
    const double total = sum_over_rows(p, logits, static_cast<T>(share));
    set_all(Backend{}, 1, static_cast<T>(total * share), p.out(0).data);
    p.c.losses.loss += total * share;
    p.c.losses.positions += targets;
    if (p.c.losses.of_operations != nullptr)
      p.c.losses.of_operations[p.o.number] = {p.o.scale * total, targets};
  }
  // Several threads keep the losses of their rows, which are added in the order of the rows.
  static double sum_over_rows(const places<T>& p, const operand<T>& logits, T share) {
    const auto sum = [&](int first, int count) {
      return sum_cross_entropy<classes>(Backend{}, count, logits.data + first * logits.row, logits.row,
                                        p.tokens() + first, share,
                                        gradient(p) + std::ptrdiff_t(first) * classes);
    };
    if constexpr (Signature.shared) {
      if (crew<T>* const threads = p.c.threads; threads != nullptr) {
        threads->template share<Backend>([&](piece mine) {
          double* next = threads->template scratch_of<double>(mine);
          for (int r = mine.start(rows(p)); r < mine.end(rows(p)); ++r) *next++ = sum(r, 1);
        });
        double total = 0;
        for (piece k{0, threads->size()}; k.number < k.count; ++k.number) {
          const double* const losses = threads->template scratch_of<double>(k);
          for (int r = 0; r < k.end(rows(p)) - k.start(rows(p)); ++r) total += losses[r];
        }
        return total;
      }
    }
    return sum(0, rows(p));
  }
  static constexpr int classes = Signature.features[0];
  static int rows(const places<T>& p) { return p.steps() * Signature.batch; }
  static T* gradient(const places<T>& p) {
    if constexpr (Signature.owns_gradient) return p.at(region_kind::loss_gradient);
    else return p.sum(0).data;
  }
};

}  // namespace tenon::inline v0_1::engine
