// called_operation: the functions of an operation that an executor calls, the same for all kinds. Only this file lists
// the files of the kinds.
#pragma once

#include "tenon/engine/run/operations/apply.hpp"
#include "tenon/engine/run/operations/cross_entropy.hpp"
#include "tenon/engine/run/operations/dropout.hpp"
#include "tenon/engine/run/operations/gather.hpp"
#include "tenon/engine/run/operations/mean_loss.hpp"
#include "tenon/engine/run/operations/scan.hpp"
#include "tenon/engine/run/operations/windows.hpp"

namespace tenon::inline v0_1::engine {

namespace detail {

// Sets contributions past each sequence's end to zero, and adds up contributions to the same adjoint.
template <class Backend, operation_signature Signature, class T>
void add_contributions(const places<T>& p) {
  repeat<Signature.inputs>([&](auto i) {
    if constexpr (Signature.has(Signature.requires_adjoint, i)) {
      constexpr int D = Signature.features[i];
      const operand<T> mine = p.contribution(i);
      int steps = 1;
      if constexpr (Signature.has(Signature.sequences, i)) {
        const int axis =
            Signature.reads_windows && i == 0 ? p.o.windows->source_axis : p.axis_of(Signature.axis_of(i));
        steps = p.c.inputs.steps[axis];
        if (p.c.inputs.full_steps[axis] < steps)
          clear_past_end<D>(Backend{}, 0, steps, Signature.batch, p.c.inputs.lengths[axis], mine);
      }
      if (Signature.has(p.o.added, i)) {
        const operand<T> sum = p.sum(i);
        accumulate_rows<D>(Backend{}, steps * Signature.batch, mine.data, mine.row, sum.data, sum.row);
      }
    }
  });
}

// The functions that an executor calls. A forward function of only one operation is inlined into its caller, where all
// places are constants; one that several operations share is one function.
template <class T, class Backend, operation_signature Signature, class Program, bool IsShared>
struct called_operation {
  using run = operation_run<T, Backend, Signature, Program>;

  static void pack([[maybe_unused]] const places<T>& p, [[maybe_unused]] packing_shard& shard) {
    if constexpr (requires { run::pack(p, shard); }) run::pack(p, shard);
  }
  static void multiply_table([[maybe_unused]] const places<T>& p, [[maybe_unused]] piece mine) {
    if constexpr (Program::has_table) run::common::multiply_table(p, mine);
  }
  static void forward(const places<T>& p) {
    if constexpr (IsShared) called_operation::call_forward(p);
    else run::forward(p);
  }
  // Computes what a stream's steps do not change.
  static void begin([[maybe_unused]] const places<T>& p) {
    if constexpr (Program::computes_once) run::begin(p);
  }
  [[gnu::noinline]] static void backward([[maybe_unused]] const places<T>& p) {
    if constexpr (Signature.differentiated) {
      run::backward(p);
      add_contributions<Backend, Signature>(p);
    }
  }
  static void find_table_sums([[maybe_unused]] const places<T>& p, [[maybe_unused]] summed_table<T>*& next) {
    if constexpr (Signature.differentiated && Program::has_table) run::common::find_table_sums(p, next);
  }
  static void finish_table([[maybe_unused]] const places<T>& p, [[maybe_unused]] run_context<T>& all,
                           [[maybe_unused]] piece mine) {
    if constexpr (Signature.differentiated && Program::has_table) run::common::finish_table(p, all, mine);
  }

 private:
  [[gnu::noinline]] TENON_FLATTEN static void call_forward(const places<T>& p) { run::forward(p); }
};
// An operation that is not needed.
template <class T, class Backend, operation_signature Signature, class Program, bool IsShared>
requires(!Signature.runs) struct called_operation<T, Backend, Signature, Program, IsShared> {
  static void pack(const places<T>&, packing_shard&) {}
  static void multiply_table(const places<T>&, piece) {}
  static void forward(const places<T>&) {}
  static void begin(const places<T>&) {}
  static void backward(const places<T>&) {}
  static void find_table_sums(const places<T>&, summed_table<T>*&) {}
  static void finish_table(const places<T>&, run_context<T>&, piece) {}
};

}  // namespace detail

}  // namespace tenon::inline v0_1::engine
