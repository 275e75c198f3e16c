// Runs the gradients of vectors: sums over all rows. A backend with gradient_sums computes those of a phase together.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/engine/run/kernels/operands.hpp"

namespace tenon::inline v0_1::engine::detail {

// Vectors that are added to one value have the same gradient. Their symbols for the operand of kernel K, if K is the
// first of their sums; else an empty list.
template <int Capacity>
constexpr list<int, Capacity> symbols_of_sum(const schedule_view& s, int K) {
  const auto operand = [&](int n) { return s.equations.code[s.kernels[n].value].a; };
  list<int, Capacity> all;
  for (int n = 0; n < s.kernels.size; ++n) {
    if (s.kernels[n].kind != kernel_kind::gradient_sum || operand(n) != operand(K)) continue;
    if (n < K) return {};
    all.add(s.equations.code[s.kernels[n].value].first);
  }
  return all;
}
template <class Schedule, int K, class Backend, class T, program_counts C>
void add_gradient_sums(const program_memory<T, C>& m, int rows, const operand<const T>& g) {
  constexpr auto symbols = symbols_of_sum<max_symbols>(Schedule::value, K);
  constexpr int N =
      Schedule::value.equations.code[Schedule::value.equations.code[Schedule::value.kernels[K].value].a].size;
  if constexpr (symbols.size == 1 || backend::HasOwnMemory<Backend>) {  // sums would not be in its memory
    for (int s : symbols) gradient_sum<N>(Backend{}, rows, g.data, g.row, m.gradients[s]);
  } else if constexpr (symbols.size > 1) {
    T sums[N]{};
    gradient_sum<N>(Backend{}, rows, g.data, g.row, sums);
    for (int s : symbols) accumulate_rows<N>(Backend{}, 1, sums, N, m.gradients[s], N);
  }
}

// Sums over the same rows are computed together; the last of their kernels computes all.
constexpr bool are_summed_together(const kernel& a, const kernel& b) {
  return a.kind == kernel_kind::gradient_sum && b.kind == a.kind && a.when == b.when && a.over == b.over;
}
struct summed_vectors {
  place from{};
  int width = 0, symbol = 0, also = -1;
};
constexpr int sums_with(const schedule_view& s, int K) {
  int count = 0;
  for (const kernel& k : s.kernels) count += are_summed_together(k, s.kernels[K]);
  return count;
}
template <int Capacity>
constexpr list<summed_vectors, Capacity> vectors_summed_with(const schedule_view& s, int K) {
  list<summed_vectors, Capacity> all;
  for (int n = 0; n < s.kernels.size; ++n) {
    if (!are_summed_together(s.kernels[n], s.kernels[K])) continue;
    if (n > K) return {};
    const int value = s.equations.code[s.kernels[n].value].a;
    const auto symbols = symbols_of_sum<Capacity>(s, n);
    for (int y = 0; y < symbols.size; y += 2)
      all.add({s.places[value], s.equations.code[value].size, symbols[y],
               y + 1 < symbols.size ? symbols[y + 1] : -1});
  }
  return all;
}
template <class Schedule, int K, class Backend, class T, program_counts C>
void add_sums_together(const program_memory<T, C>& m, int t, int rows) {
  constexpr int most = sums_with(Schedule::value, K);
  constexpr auto vectors = vectors_summed_with<most>(Schedule::value, K);
  if constexpr (vectors.size > 0) {
    constexpr dimension axis = Schedule::value.kernels[K].runs_along();
    backend::column_sums<T> sums[vectors.size];
    for (int n = 0; n < vectors.size; ++n) {
      const summed_vectors& v = vectors[n];
      const auto g = source<axis>(m, v.from, t);
      sums[n] = {g.data, g.row, v.width, m.gradients[v.symbol], v.also >= 0 ? m.gradients[v.also] : nullptr};
    }
    gradient_sums(Backend{}, rows, vectors.size, sums);
  }
}

// Is this value a state that a scan's step began with? The states are the inputs after the first.
constexpr bool reads_state(const schedule_view& s, int value) {
  const place& p = s.places[value];
  return p.in == space::input && 1 <= p.index && p.index <= s.carried.size;
}
// A kernel that sums rows of all steps, whose padding must be cleared first.
constexpr bool sums_rows(const kernel& k) {
  return (k.kind == kernel_kind::gradient_sum || k.kind == kernel_kind::gradient_outer) && !k.of_table &&
         k.neighbours == 0;
}
// Does `whole` contain all of `value`?
constexpr bool covers(const schedule_view& s, int whole, int value) {
  const place &w = s.places[whole], &v = s.places[value];
  return w.in == v.in && w.index == v.index && w.rows == v.rows && w.column <= v.column &&
         v.column + s.equations.code[value].size <= w.column + s.equations.code[whole].size;
}
// What kernel K clears instead of `value`, which it sums over: the widest value that contains it and that this kernel
// or the following ones sum over, up to the first other kernel.
constexpr int cleared_for(const schedule_view& s, int K, int value) {
  for (int n = K; n < s.kernels.size; ++n) {
    const kernel& k = s.kernels[n];
    if (k.when != s.kernels[K].when) continue;
    if (!sums_rows(k) || k.over != s.kernels[K].over) break;
    const instruction& i = s.equations.code[k.value];
    if (covers(s, i.a, value)) value = i.a;
    if (k.kind == kernel_kind::gradient_outer && covers(s, i.b, value)) value = i.b;
  }
  return value;
}
// Has an earlier kernel of the phase cleared the value? A kernel that reads states does not count: it omits a step.
constexpr bool is_cleared_before(const schedule_view& s, int K, int value) {
  for (int n = 0; n < K; ++n) {
    const kernel& k = s.kernels[n];
    if (k.when != s.kernels[K].when || k.over != s.kernels[K].over || !sums_rows(k)) continue;
    const instruction& i = s.equations.code[k.value];
    if (k.kind == kernel_kind::gradient_outer && reads_state(s, i.b)) continue;
    if (covers(s, cleared_for(s, n, i.a), value)) return true;
    if (k.kind == kernel_kind::gradient_outer && covers(s, cleared_for(s, n, i.b), value)) return true;
  }
  return false;
}
template <class Schedule, int K, int Value, class Backend, class T, program_counts C>
void clear_summed(const program_memory<T, C>& m, int t, int steps) {
  if constexpr (!is_cleared_before(Schedule::value, K, Value)) {
    constexpr int value = cleared_for(Schedule::value, K, Value),
                  width = Schedule::value.equations.code[value].size;
    constexpr place whole = place_of<Schedule>(value);
    clear_padding<Schedule::value.kernels[K].runs_along(), width, Backend>(m, whole, t, steps);
  }
}

}  // namespace tenon::inline v0_1::engine::detail
