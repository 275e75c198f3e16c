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

  void pack() {
    each_operation([&]<int O>() {
      if constexpr (requires { operation_run<Plan, O>::pack(*this); }) operation_run<Plan, O>::pack(*this);
    });
  }
  void forward() {
    each_operation([&]<int O>() { operation_run<Plan, O>::forward(*this); });
  }
  // Runs forward and calls seen(path, values, rows, columns, row_stride) for the first output of each
  // operation.
  template <class Seen>
  void forward_watched(Seen seen) {
    each_operation([&]<int O>() {
      operation_run<Plan, O>::forward(*this);
      const operation& op = net.operations[O];
      const edge& out = net.edges[op.out[0]];
      const binding<T> y = this->value(op.out[0]);
      const bool single_rows = out.axis < 0 && out.slabs == 1;
      const long rows = op.what == work::cross_entropy ? 1
                        : single_rows                  ? this->c.rows
                                                       : long(this->steps_of(op.out[0])) * Plan::batch;
      seen(op.path.view(), y.data, rows, out.size, y.row);
    });
  }
  // Adjoints of the outputs (or of the loss, which is 1) to gradients of parameters and inputs.
  void backward() {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (
          [&] {
            constexpr int O = operations - 1 - I;
            if constexpr (Plan::active.differentiated[O]) {
              operation_run<Plan, O>::backward(*this);
              add_contributions<O>();
            }
          }(),
          ...);
    }
    (std::make_integer_sequence<int, operations>{});
  }
  // Adjoints that several operations add to start at zero.
  void clear_adjoints(bool also_outputs) {
    for (int e = 0; e < net.edges.size; ++e) {
      const int region = memory.adjoint[e];
      if (region < 0 || !(memory.accumulates[e] || (also_outputs && net.is_output(e)))) continue;
      T* const start = this->at(region);
      for (long k = 0; k < memory.regions[region].size; ++k) start[k] = T(0);
    }
  }

 private:
  template <class F>
  void each_operation(F f) {
    [&]<int... O>(std::integer_sequence<int, O...>) {
      (
          [&] {
            if constexpr (Plan::active.alive[O]) f.template operator()<O>();
          }(),
          ...);
    }
    (std::make_integer_sequence<int, operations>{});
  }
  template <int O>
  void add_contributions() {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (clear_contribution<O, I>(), ...);
      (add_contribution<O, I>(), ...);
    }
    (std::make_integer_sequence<int, net.operations[O].in.size>{});
  }
  template <int O, int I>
  void clear_contribution() {
    constexpr int e = net.operations[O].in[I];
    if constexpr (places<Plan>::has_adjoint(e)) this->template clear_past_end<e>(this->contribution(O, I));
  }
  template <int O, int I>
  void add_contribution() {
    constexpr int e = net.operations[O].in[I];
    if constexpr (places<Plan>::has_adjoint(e))
      if constexpr (memory.accumulates[net.owner(e)]) {
        const binding<T> mine = this->contribution(O, I), whole = this->adjoint(e);
        backend::accumulate_rows<net.edges[e].size>(typename Plan::backend{}, this->steps_of(e) * Plan::batch,
                                                    mine.data, mine.row, whole.data, whole.row);
      }
  }
};

}  // namespace tenon::engine
