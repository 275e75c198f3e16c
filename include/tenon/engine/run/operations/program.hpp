// program_operation: an operation that runs a program: its symbols, packed weights, buffers and saved values.
#pragma once

#include "tenon/engine/plan/compiled.hpp"
#include "tenon/engine/run/operations/operation.hpp"
#include "tenon/meta/repeat.hpp"

namespace tenon::inline v0_1::engine {

template <class T, class Backend, operation_signature Signature, class Program>
struct program_operation {
  using memory = program_memory<T, Program::counts>;
  using forward_schedule = typename Program::forward_schedule;
  using backward_schedule = typename Program::backward_schedule;
  static constexpr int inputs = Program::inputs, outputs = Program::outputs;
  static constexpr int forward_kernels = forward_schedule::value.kernels.size,
                       backward_kernels = backward_schedule::value.kernels.size;
  static constexpr int symbols = Program::source.symbols.size,
                       forward_buffers = forward_schedule::value.buffers.size,
                       backward_buffers = backward_schedule::value.buffers.size;
  static constexpr auto kept = Program::kept;
  // The outputs of the forward program that the backward one reads, in a list of exact length, so that the running
  // program does not contain the larger table.
  static constexpr auto saved = [] {
    list<int, Program::pair.saved.size> all;
    for (int output : Program::pair.saved) all.add(output);
    return all;
  }();
  static constexpr int first_input = Program::has_table ? 1 : 0;  // rows of a table are never computed

  static void bind_symbols(const places<T>& p, memory& m) {
    TENON_UNROLL for (int s = 0; s < symbols; ++s) m.symbols[s] = p.c.memory.parameters + p.o.symbols[s];
  }
  static void pack(const places<T>& p, packing_shard& shard) {
    memory m;
    bind_symbols(p, m);
    T* packed[forward_kernels + 1];
    for (int k = 0; k < forward_kernels; ++k) packed[k] = p.packed_weight(k);
    pack_parameters<forward_schedule, Backend>(m.symbols, packed, shard);
    if constexpr (Program::has_gradient) {
      T* packed_backward[backward_kernels + 1];
      for (int k = 0; k < backward_kernels; ++k) packed_backward[k] = p.packed_weight(forward_kernels + k);
      pack_parameters<backward_schedule, Backend>(m.symbols, packed_backward, shard);
    }
  }
  // Computes the product of the table whose rows are the first input, for this piece of the rows.
  // All weights must be packed.
  static void multiply_table(const places<T>& p, piece mine) {
    constexpr int kernel = of_table<forward_schedule>(kernel_kind::matmul);
    constexpr program_view equations = forward_schedule::value.equations;
    constexpr int N = equations.code[forward_schedule::value.kernels[kernel].value].size;
    const int first = mine.start(p.o.entries);
    matmul<N, features>(Backend{}, mine.end(p.o.entries) - first, table_row(p, p.c.memory.parameters, first),
                        features, p.packed_weight(kernel), table_product(p) + std::ptrdiff_t(first) * N, N);
  }
  // The backward program sums the adjoints of equal tokens, so that the products are as short as the table.
  // With several runs, they are added up in one of them.
  static void find_table_sums(const places<T>& p, summed_table<T>*& next) {
    if constexpr (gradient_of_table >= 0) *next++ = {table_sums(p, p.c, {}), p.o.entries, table_columns};
  }
  // Computes the gradients of this product from the sums of `all`: those of this piece of the rows are added to the
  // gradients of this run.
  static void finish_table(const places<T>& p, run_context<T>& all, piece mine) {
    if constexpr (gradient_of_table >= 0) {
      constexpr int N = table_columns;
      const int first = mine.start(p.o.entries), rows = mine.end(p.o.entries) - first;
      const int weights = p.o.symbols[backward_code(gradient_of_table).first];
      T* const sums = table_sums(p, all, mine);
      gradient_outer<N, features>(Backend{}, rows, sums, N, table_row(p, p.c.memory.parameters, first),
                                  features, p.c.memory.gradients + weights);
      if (const int skipped = p.o.skipped_entry - first; 0 <= skipped && skipped < rows)
        set_all(Backend{}, N, T(0), sums + std::ptrdiff_t(skipped) * N);
      T* const adjoint = p.at(region_kind::table_adjoint);
      matmul_transposed<N, features>(Backend{}, rows, sums, N, p.c.memory.parameters + weights, adjoint,
                                     features);
      accumulate_rows<features>(Backend{}, rows, adjoint, features, table_row(p, p.c.memory.gradients, first),
                                features);
    }
  }
  static memory forward_memory(const places<T>& p) {
    memory m;
    m.batch = Signature.walks ? Signature.batch : p.c.inputs.rows;
    m.rows = p.c.inputs.rows;
    m.lengths = nullptr;
    if constexpr (Signature.walks && !Signature.never_ends_early())
      m.lengths = lengths_along(p, dimension::time);
    if constexpr (Signature.sees_inner) {
      m.inner_steps = inner_lengths(p).steps_of_all();
      m.inner_lengths = inner_lengths(p).of_all();
    }
    if constexpr (Signature.keeps_steps) m.earlier_steps = p.c.stream.earlier_steps;
    if constexpr (Program::counts.shared) m.threads = p.c.threads;
    bind_symbols(p, m);
    TENON_UNROLL for (int k = 0; k < forward_kernels; ++k) m.packed[k] = p.packed_weight(k);
    TENON_UNROLL for (int k = 0; k < forward_buffers; ++k) m.buffers[k] =
        p.at(region_kind::forward_buffer, k);
    for (int s = 0; s < kept.size; ++s) {  // for the backward program
      const std::ptrdiff_t width = kept[s].width;
      m.out[outputs + s] = {p.at(region_kind::saved, s), width, width * Signature.batch};
      if constexpr (Program::by_sequence) {  // the steps of a sequence side by side
        const int steps = (kept[s].all_rows ? p.steps() : 1) * (kept[s].inner ? m.inner_steps : 1);
        m.out[outputs + s] = {p.at(region_kind::saved, s), width * steps,
                              kept[s].all_rows || kept[s].inner ? width : 0};
      }
    }
    if constexpr (Program::has_table) bind_table(p, m);
    if constexpr (Signature.reads_windows) {
      m.windows = p.o.windows->over;
      m.windows_over = p.windows_over();
    }
    return m;
  }
  static memory backward_memory(const places<T>& p, const memory& forward) {
    memory m = forward;
    for (int s = 0; s < symbols; ++s) m.gradients[s] = p.c.memory.gradients + p.o.symbols[s];
    m.scratch = p.at(region_kind::scratch);
    for (int k = 0; k < backward_kernels; ++k) m.packed[k] = p.packed_weight(forward_kernels + k);
    for (int k = 0; k < backward_buffers; ++k) m.buffers[k] = p.at(region_kind::backward_buffer, k);
    for (int s = 0; s < saved.size; ++s) {
      const int output = saved[s];
      const operand<T>& from = forward.out[output];
      m.in[inputs + outputs + s] = {from.data, from.row, from.step};
      m.is_own[inputs + outputs + s] = output >= outputs;
    }
    return m;
  }

  // Tokens as numbers, and the numbers that the equation adds itself, are bound where they will be stored ..
  static void bind_numbers([[maybe_unused]] const places<T>& p, [[maybe_unused]] memory& m) {
    [[maybe_unused]] int stored = 0;
    if constexpr (Signature.tokens != 0)
      for (int i = 0; i < Signature.inputs; ++i)
        if (Signature.has(Signature.tokens, i)) {
          constexpr std::ptrdiff_t step = Signature.batch;
          m.in[i] = {p.at(region_kind::number, stored++), 1,
                     Signature.has(Signature.sequences, i) ? step : 0};
        }
    each_own([&](own_number own, int input, int size) {
      const bool is_of_rows = is_length(own) || (Signature.streaming && own.kind == own_input::position);
      const std::ptrdiff_t row = is_of_rows ? 1 : own.share > 0 ? size : 0;
      const std::ptrdiff_t step = own.kind == own_input::noise || (is_of_rows && is_position(own))
                                      ? Signature.batch * row
                                  : is_position(own) ? 1
                                                     : 0;
      m.in[input] = {p.at(region_kind::number, stored++), row, step};
    });
  }
  // .. and written there.
  static void fill_numbers([[maybe_unused]] const places<T>& p) {
    [[maybe_unused]] int stored = 0;
    if constexpr (Signature.tokens != 0)
      for (int i = 0; i < Signature.inputs; ++i)
        if (Signature.has(Signature.tokens, i))
          numbers_of_tokens(
              Backend{},
              (Signature.has(Signature.sequences, i) ? p.steps(Signature.axis_of(i)) : 1) * Signature.batch,
              p.tokens(i), p.at(region_kind::number, stored++));
    if constexpr (Program::source.own.size > 0) {
      std::uint64_t number = 0;
      each_own([&](own_number own, int, int size) {
        T* const to = p.at(region_kind::number, stored++);
        const bool is_inner = own.kind == own_input::inner_position || own.kind == own_input::inner_length;
        const dimension axis = is_inner ? dimension::inner : dimension::time;
        ++number;
        if (is_length(own)) numbers_of_tokens(Backend{}, Signature.batch, p.lengths(axis), to);
        else if (is_position(own)) fill_positions(p, axis, to);
        else if (own.share > 0) fill_noise(p, own, size, number, to);
        else count_up(Backend{}, size, to);
      });
    }
  }

  // The lengths of the inner axis as the steps of the loop see them: 0 for a row that has ended.
  class inner_lengths {
   public:
    explicit inner_lengths(const places<T>& p) : p_(p) {}
    const int* of_all() const {
      if constexpr (Signature.sees_history) return history_at(after_block);
      else return lengths_along(p_, dimension::inner);
    }
    int steps_of_all() const {
      if constexpr (Signature.sees_history) return p_.c.stream.so_far[after_block].most;
      else return p_.steps(dimension::inner);
    }
    int steps_at(int t) const {
      if constexpr (Signature.sees_history) return p_.c.stream.so_far[t].most;
      else return p_.steps(dimension::inner);
    }
    const int* at(int t) {
      if constexpr (Signature.sees_history) return history_at(t);
      if (Signature.never_ends_early() || t < p_.full_steps()) return of_all();
      lengths_at(Backend{}, t, Signature.batch, p_.lengths(), p_.lengths(dimension::inner),
                 p_.c.inputs.seen_lengths);
      return p_.c.inputs.seen_lengths;
    }

   private:
    static constexpr int after_block = Signature.one_step() ? 0 : Signature.block;
    const int* history_at(int t) const {
      if (p_.c.stream.so_far[t].is_of_all) return nullptr;
      return p_.c.stream.steps_so_far + std::ptrdiff_t(t) * Signature.batch;
    }
    const places<T>& p_;
  };

 private:
  // The number of each step; in a stream, the number of each step for each row.
  static void fill_positions(const places<T>& p, dimension axis, T* to) {
    if (axis == dimension::inner) count_up(Backend{}, inner_lengths(p).steps_of_all(), to);
    else if constexpr (Signature.streaming)
      numbers_of_tokens(Backend{}, (Signature.one_step() ? 1 : p.steps()) * Signature.batch,
                        p.c.stream.earlier_steps, to);
    else count_up(Backend{}, p.steps(axis), to);
  }
  // Null if no row ends before the last step.
  static const int* lengths_along(const places<T>& p, dimension axis) {
    return p.full_steps(axis) < p.steps(axis) ? p.lengths(axis) : nullptr;
  }
  static constexpr bool is_length(const own_number& own) {
    return own.kind == own_input::length || own.kind == own_input::inner_length;
  }
  static constexpr bool is_position(const own_number& own) {
    return own.kind == own_input::position || own.kind == own_input::inner_position;
  }
  // Dropout's factors; each operation, training step and noise of the equation has its own stream of random numbers.
  static void fill_noise(const places<T>& p, const own_number& own, int size, std::uint64_t number, T* to) {
    const std::ptrdiff_t rows =
        (own.kind == own_input::noise && !Signature.one_step() ? p.steps() : 1) * Signature.batch;
    set_all(Backend{}, rows * size, T(1), to);
    if constexpr (Signature.training) drop_elements<Backend>(p, rows * size, own.share, number, to, to);
  }
  // f(number, input, features) for each input that the equation adds itself.
  template <class F>
  static void each_own([[maybe_unused]] F f) {
    constexpr int own = Program::source.own.size, passed = inputs - own;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (f(Program::source.own[I], passed + I, Program::source.inputs[passed + I]), ...);
    }
    (std::make_integer_sequence<int, own>{});
  }
  static constexpr int features = inputs > 0 ? Program::source.inputs[0] : 0;  // of the table

  static void bind_table(const places<T>& p, memory& m) {
    m.table = {p.tokens(), p.o.entries, table_product(p), nullptr};
    if constexpr (Signature.training) m.table.product_adjoint = p.at(region_kind::product_adjoint);
  }
  static T* table_product(const places<T>& p) { return p.packed_weight(forward_kernels + backward_kernels); }
  template <class U>
  static U* table_row(const places<T>& p, U* parameters, int row) {
    return parameters + p.o.table + std::ptrdiff_t(row) * features;
  }
  static T* table_sums(const places<T>& p, const run_context<T>& c, piece mine) {
    return p.at(c, region_kind::product_adjoint) + std::ptrdiff_t(mine.start(p.o.entries)) * table_columns;
  }
  // The kernel that multiplies rows of the table; -1: none.
  template <class Schedule>
  static constexpr int of_table(kernel_kind kind) {
    for (int k = 0; k < Schedule::value.kernels.size; ++k)
      if (Schedule::value.kernels[k].of_table && Schedule::value.kernels[k].kind == kind) return k;
    return -1;
  }
  static constexpr instruction backward_code(int kernel) {
    return backward_schedule::value.equations.code[backward_schedule::value.kernels[kernel].value];
  }
  static constexpr int gradient_of_table = of_table<backward_schedule>(kernel_kind::gradient_outer);
  static constexpr int table_columns =
      gradient_of_table < 0
          ? 0
          : backward_schedule::value.equations.code[backward_code(gradient_of_table).a].size;
};

}  // namespace tenon::inline v0_1::engine
