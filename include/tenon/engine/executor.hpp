// executor: runs the operations of a plan in order, forward and backward, on one block of memory. It
// allocates nothing and checks nothing: sessions own the memory and validate what users give.
#pragma once

#include "tenon/engine/work/apply.hpp"
#include "tenon/engine/work/attend.hpp"
#include "tenon/engine/work/cross_entropy.hpp"
#include "tenon/engine/work/dropout.hpp"
#include "tenon/engine/work/gather.hpp"
#include "tenon/engine/work/scan.hpp"

#include <string_view>

namespace tenon::engine {

template <class Plan>
class executor : public places<Plan> {
 public:
  using T = typename Plan::scalar;
  static constexpr const auto& net = Plan::net;
  static constexpr const auto& memory = memory_of<Plan>;
  static constexpr int operations = net.operations.size;

  explicit executor(run_context<T>& given) : places<Plan>{given} {}

  static constexpr int carried_states = [] {  // streaming: states that live from one run to the next
    int n = 0;
    for (int o = 0; o < operations; ++o)
      if (Plan::active.alive[o]) n += Plan::states(o);
    return n;
  }();

  // What is made once for each operation has the whole graph in its name, and names are what a compiler works
  // on most where a graph is large: so no lambda inside a fold.
  void pack() {
    [&]<int... O>(std::integer_sequence<int, O...>) { (pack_operation<O>(), ...); }
    (std::make_integer_sequence<int, operations>{});
  }
  void forward() {
    [[maybe_unused]] const backend::running_on<typename Plan::backend> mode;
    [&]<int... O>(std::integer_sequence<int, O...>) { (forward_operation<O>(), ...); }
    (std::make_integer_sequence<int, operations>{});
  }
  // Runs forward and calls seen(path, values, rows, columns, row_stride) for the first output of each
  // operation.
  template <class Seen>
  void forward_watched(Seen seen) {
    [[maybe_unused]] const backend::running_on<typename Plan::backend> mode;
    [&]<int... O>(std::integer_sequence<int, O...>) { (watch_operation<O>(seen), ...); }
    (std::make_integer_sequence<int, operations>{});
  }
  // Adjoints of the outputs (or of the loss, which is 1) to gradients of parameters and inputs.
  void backward() {
    [[maybe_unused]] const backend::running_on<typename Plan::backend> mode;
    [&]<int... I>(std::integer_sequence<int, I...>) { (backward_operation<operations - 1 - I>(), ...); }
    (std::make_integer_sequence<int, operations>{});
  }
  // Adjoints that several operations add to start at zero.
  void clear_adjoints(bool also_outputs) {
    for (int e = 0; e < net.edges.size; ++e) {
      const int region = memory.adjoint[e];
      const bool starts_at_zero = memory.accumulates[e] && memory.first_operation[e] < 0;
      if (region < 0 || !(starts_at_zero || (also_outputs && net.is_output(e)))) continue;
      T* const start = this->at(region);
      for (long k = 0; k < memory.regions[region].size; ++k) start[k] = T(0);
    }
  }

 private:
  template <int O>
  void pack_operation() {
    if constexpr (Plan::active.alive[O])
      if constexpr (requires { operation_run<Plan, O>::pack(*this); }) operation_run<Plan, O>::pack(*this);
  }
  template <int O>
  void forward_operation() {
    if constexpr (Plan::active.alive[O]) operation_run<Plan, O>::forward(*this);
  }
  template <int O, class Seen>
  void watch_operation(Seen& seen) {
    if constexpr (Plan::active.alive[O]) {
      operation_run<Plan, O>::forward(*this);
      if constexpr (Plan::is_table_alone(O)) {
        constexpr int D = net.edges[net.operations[O].out[0]].size;
        operation_run<Plan, O>::for_rows(
            *this, [&](const T* row) { seen(net.operations[O].path.view(), row, 1L, D, D); });
      } else {
        show_output(O, seen);
      }
    }
  }
  template <class Seen>
  void show_output(int o, Seen& seen) {
    const operation& op = net.operations[o];
    const edge& out = net.edges[op.out[0]];
    const binding<T> y = this->value(op.out[0]);
    const bool single_rows = out.axis < 0 && out.slabs == 1;
    const long rows = op.what == work::cross_entropy ? 1
                      : single_rows                  ? this->c.rows
                                                     : long(this->steps_of(op.out[0])) * Plan::batch;
    seen(op.path.view(), y.data, rows, out.size, y.row);
  }
  template <int O>
  void backward_operation() {
    if constexpr (Plan::active.differentiated[O]) {
      operation_run<Plan, O>::backward(*this);
      add_contributions<O>(std::make_integer_sequence<int, net.operations[O].in.size>{});
    }
  }
  template <int O, int... I>
  void add_contributions(std::integer_sequence<int, I...>) {
    (add_contribution<O, I>(), ...);
  }
  template <int O, int I>
  void add_contribution() {
    constexpr int e = net.operations[O].in[I];
    if constexpr (places<Plan>::has_adjoint(e) && !(I == 0 && Plan::tables[O] >= 0)) {
      const binding<T> mine = this->contribution(O, I);
      if constexpr (net.edges[e].axis >= 0) this->template clear_past_end<e>(mine);
      if constexpr (places<Plan>::adds_contribution(O, I)) {
        const binding<T> whole = this->adjoint(e);
        backend::accumulate_rows<net.edges[e].size>(typename Plan::backend{}, this->steps_of(e) * Plan::batch,
                                                    mine.data, mine.row, whole.data, whole.row);
      }
    }
  }
};

}  // namespace tenon::engine
