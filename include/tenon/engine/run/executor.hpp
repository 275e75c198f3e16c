// executor: runs the operations of a plan in order, forward and backward, on one block of memory. It
// allocates nothing and checks nothing: sessions own the memory and validate the user's values.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/engine/run/called_operation.hpp"

#include <string>

namespace tenon::inline v0_1::engine {

// Is called with the number of each operation after it has run, forward or backward.
struct run_observer {
  void (*seen)(run_observer&, int operation);
};

// Which code runs an operation is asked outside the class: a file whose executor another one compiles does not plan its kernels.
namespace detail {
// By operation: do others run the same code? Then it is a function.
template <class Plan>
inline constexpr auto is_shared = [] {
  constexpr auto& net = Plan::net;
  list<bool, net.operations.size> all;
  const auto same = [](int o, int p) {
    return Plan::net.operations[o].program == Plan::net.operations[p].program &&
           signatures_of<Plan>[o] == signatures_of<Plan>[p] && Plan::lowerings[o] == Plan::lowerings[p];
  };
  for (int o = 0; o < net.operations.size; ++o) {
    all.add(false);
    for (int p = 0; p < o; ++p)
      if (same(o, p)) all[o] = all[p] = true;
  }
  return all;
}();
template <class Plan, int O>
using operation_of = called_operation<typename Plan::scalar, typename Plan::backend, signatures_of<Plan>[O],
                                      typename Plan::template program_of<O>, is_shared<Plan>[O]>;
}  // namespace detail

// Its functions are defined outside the class, so that a program can compile them in one of its files. The other files
// write `extern template class tenon::engine::executor<session::plan>;` and do not compile the code of a run.
template <class Plan>
class executor {
 public:
  using T = typename Plan::scalar;
  static constexpr int operations = Plan::net.operations.size;

  explicit executor(run_context<T>& context) : c(context) {}

  // Elements of a run's memory, and of its packed weights.
  static long memory_elements();
  static long packed_elements();
  // The addresses of an input or an output, and of its adjoint, in the block of memory.
  static operand<T> value(int e, T* memory);
  static operand<T> adjoint(int e, T* memory);

  void pack(piece mine = {});
  // Computes the products of tables, or a piece of each. All weights must be packed.
  void multiply_tables(piece mine = {});
  // `observer`: is told of each operation after it has run, in training.
  void forward(run_observer* observer = nullptr);
  // In a stream, computes what its steps do not change, before the first step. forward() leaves this out.
  void begin();
  // From adjoints of the outputs (or of the loss, which is 1) to gradients of parameters and inputs.
  void backward(run_observer* observer = nullptr);
  // Where backward() leaves the sums for the gradients of products of tables: at most as many as operations. Returns their end.
  summed_table<T>* find_table_sums(summed_table<T>* all);
  // After backward(): computes the gradients of products of tables from the sums of `all`, or a piece of them.
  void finish_tables(run_context<T>& all, piece mine = {});
  // Sets to zero the adjoints that several operations add to.
  void clear_adjoints(bool also_outputs);
  // Passes the first output of operation o, after that has run, to seen(path, values, rows, columns, row_stride).
  template <class Seen>
  void show_output(int o, Seen seen) const {
    [&]<int... O>(std::integer_sequence<int, O...>) {
      (void)((o == O && (show(std::integral_constant<int, O>{}, seen), true)) || ...);
    }
    (std::make_integer_sequence<int, operations>{});
  }

 private:
  run_context<T>& c;
  int running_ = 0;  // on a device: the current operation, for error messages

  // f(e) for every edge that a session shows or fills.
  template <class F>
  static void each_shown_edge(F f) {
    repeat<Plan::net.inputs.size>([&](auto i) { f(std::integral_constant<int, Plan::net.inputs[i]>{}); });
    repeat<Plan::net.outputs.size>([&](auto o) { f(std::integral_constant<int, Plan::net.outputs[o]>{}); });
  }
  template <int E>
  void clear_adjoint(std::integral_constant<int, E>, [[maybe_unused]] bool also_outputs) {
    constexpr int region = memory_of<Plan>.adjoint[E];
    if constexpr (region >= 0) {
      constexpr bool starts_at_zero = Plan::sums[E].has_several && Plan::sums[E].first_operation < 0;
      constexpr auto mine = memory_of<Plan>.regions[region];
      constexpr bool is_output = Plan::net.is_output(E);
      if (starts_at_zero || (is_output && also_outputs))
        set_all(typename Plan::backend{}, mine.size, T(0), c.memory.values + mine.offset);
    }
  }
  // On a device, an error message names the node that was running.
  void running([[maybe_unused]] int o) {
    if constexpr (backend::HasOwnMemory<typename Plan::backend>) running_ = o;
  }
  template <class Run>
  void named(Run run) {
    if constexpr (!backend::HasOwnMemory<typename Plan::backend>) {
      run();
    } else {
      try {
        run();
      } catch (const device_error& error) {
        std::string node;
        repeat<operations>([&](auto o) {
          constexpr name path = Plan::net.operations[o].path;
          if (running_ == o) node = std::string(path.view());
        });
        throw device_error("node '" + node + "': " + error.what());
      }
    }
  }
  static operand<T> rows_at(const edge_place& e, T* memory) { return {memory + e.at, e.row, e.step}; }

  static void finished([[maybe_unused]] int o, [[maybe_unused]] run_observer* observer) {
    if constexpr (Plan::training)
      if (observer != nullptr) observer->seen(*observer, o);
  }
  template <int O, class Seen>
  void show(std::integral_constant<int, O>, Seen& seen) const {
    if constexpr (Plan::active.alive[O]) {
      constexpr edge out = Plan::net.edges[Plan::net.operations[O].out[0]];
      constexpr name path = Plan::net.operations[O].path;
      const int steps = out.axis >= 0 ? c.inputs.steps[out.axis] : out.layers;
      if constexpr (Plan::is_table_alone(O)) {
        const operation_places& mine = placed_operation_of<Plan, O>::value;
        for (int r = 0; r < steps * Plan::batch; ++r)
          if (const int token = c.inputs.tokens[mine.tokens][r]; token >= 0)
            seen(path.view(), c.memory.parameters + mine.table + std::ptrdiff_t(token) * out.size, 1L,
                 out.size, std::ptrdiff_t(out.size));
      } else {
        constexpr bool single_rows = out.axis < 0 && out.layers == 1;
        const operand<T> y = rows_at(placed_operation_of<Plan, O>::value.out[0], c.memory.values);
        const long rows = Plan::net.losses.find(Plan::net.operations[O].out[0]) >= 0 ? 1
                          : single_rows                                              ? c.inputs.rows
                                        : long(steps) * Plan::batch;
        seen(path.view(), static_cast<const T*>(y.data), rows, out.size, y.row);
      }
    }
  }
};

template <class Plan>
long executor<Plan>::memory_elements() {
  constexpr long elements = memory_of<Plan>.size;
  return elements;
}
template <class Plan>
long executor<Plan>::packed_elements() {
  constexpr long elements = memory_of<Plan>.packed_size;
  return elements;
}
template <class Plan>
auto executor<Plan>::value(int e, T* memory) -> operand<T> {
  edge_place found;
  each_shown_edge([&](auto shown) {
    constexpr edge_place mine = edge_places_of<Plan>[shown].value;
    if (e == shown) found = mine;
  });
  return rows_at(found, memory);
}
template <class Plan>
auto executor<Plan>::adjoint(int e, T* memory) -> operand<T> {
  edge_place found;
  each_shown_edge([&](auto shown) {
    constexpr edge_place mine = edge_places_of<Plan>[shown].adjoint;
    if (e == shown) found = mine;
  });
  return rows_at(found, memory);
}

// No function here is a template over operations: each name would contain the whole graph, and
// with a large graph a compiler spends most of its time on names.
template <class Plan>
void executor<Plan>::pack(piece mine) {
  [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
  constexpr long all = memory_of<Plan>.weights_size;
  packing_shard shard(mine, all);
  [&]<int... O>(std::integer_sequence<int, O...>) {
    (detail::operation_of<Plan, O>::pack({c, placed_operation_of<Plan, O>::value}, shard), ...);
  }
  (std::make_integer_sequence<int, operations>{});
}
template <class Plan>
void executor<Plan>::multiply_tables([[maybe_unused]] piece mine) {
  if constexpr (Plan::has_tables) {
    [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
    [&]<int... O>(std::integer_sequence<int, O...>) {
      (detail::operation_of<Plan, O>::multiply_table({c, placed_operation_of<Plan, O>::value}, mine), ...);
    }
    (std::make_integer_sequence<int, operations>{});
  }
}
template <class Plan>
TENON_FLATTEN void executor<Plan>::forward([[maybe_unused]] run_observer* observer) {
  [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
  named([&] {
    [&]<int... O>(std::integer_sequence<int, O...>) {
      ((Plan::runs_once(O) ||
        (running(O), detail::operation_of<Plan, O>::forward({c, placed_operation_of<Plan, O>::value}),
         finished(O, observer), true)),
       ...);
    }
    (std::make_integer_sequence<int, operations>{});
  });
}
template <class Plan>
void executor<Plan>::begin() {
  if constexpr (Plan::begins) {
    [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
    [&]<int... O>(std::integer_sequence<int, O...>) {
      ((Plan::runs_once(O) ? detail::operation_of<Plan, O>::forward({c, placed_operation_of<Plan, O>::value})
                           : detail::operation_of<Plan, O>::begin({c, placed_operation_of<Plan, O>::value})),
       ...);
    }
    (std::make_integer_sequence<int, operations>{});
  }
}
template <class Plan>
void executor<Plan>::backward([[maybe_unused]] run_observer* observer) {
  [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
  named([&] {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((running(operations - 1 - I),
        detail::operation_of<Plan, operations - 1 - I>::backward(
            {c, placed_operation_of<Plan, operations - 1 - I>::value}),
        finished(operations - 1 - I, observer)),
       ...);
    }
    (std::make_integer_sequence<int, operations>{});
  });
}
template <class Plan>
auto executor<Plan>::find_table_sums(summed_table<T>* all) -> summed_table<T>* {
  [&]<int... O>(std::integer_sequence<int, O...>) {
    (detail::operation_of<Plan, O>::find_table_sums({c, placed_operation_of<Plan, O>::value}, all), ...);
  }
  (std::make_integer_sequence<int, operations>{});
  return all;
}
template <class Plan>
void executor<Plan>::finish_tables([[maybe_unused]] run_context<T>& all, [[maybe_unused]] piece mine) {
  if constexpr (Plan::has_tables) {
    [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
    [&]<int... O>(std::integer_sequence<int, O...>) {
      (detail::operation_of<Plan, O>::finish_table({c, placed_operation_of<Plan, O>::value}, all, mine), ...);
    }
    (std::make_integer_sequence<int, operations>{});
  }
}
template <class Plan>
void executor<Plan>::clear_adjoints(bool also_outputs) {
  [&]<int... E>(std::integer_sequence<int, E...>) {
    (clear_adjoint(std::integral_constant<int, E>{}, also_outputs), ...);
  }
  (std::make_integer_sequence<int, Plan::net.edges.size>{});
}

}  // namespace tenon::inline v0_1::engine
