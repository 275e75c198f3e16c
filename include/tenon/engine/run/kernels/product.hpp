// Runs the products of a schedule: with parameters and with rows of a table, and their gradients.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/engine/run/kernels/column_sums.hpp"
#include "tenon/engine/run/kernels/share.hpp"

namespace tenon::inline v0_1::engine::detail {

// A product of rows that are looked up in a table.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_product_of_table(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr instruction i = Schedule::value.equations.code[k.value];
  const int rows = steps * m.batch;
  const int* const tokens = m.table.tokens + std::ptrdiff_t(t) * m.batch;
  if constexpr (k.kind == kernel_kind::matmul) {
    constexpr place made = place_of<Schedule>(k.value);
    const auto y = target<dimension::time>(m, made, t);
    gather<i.size>(Backend{}, rows, tokens, m.table.product, y.data, y.row);
  } else if constexpr (k.kind == kernel_kind::gradient_outer) {
    constexpr int N = Schedule::value.equations.code[i.a].size;
    if (!m.continues) set_all(Backend{}, std::ptrdiff_t(m.table.entries) * N, T(0), m.table.product_adjoint);
    constexpr place from = place_of<Schedule>(i.a);
    const auto g = source<dimension::time>(m, from, t);
    scatter_add<N>(Backend{}, rows, tokens, g.data, g.row, -1, m.table.product_adjoint);
  }
}

// A product of `steps` windows that are read in place, and its gradients.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_product_of_windows(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr place left = place_of<Schedule>(i.a);
  constexpr int N = Schedule::value.equations.code[i.a].size, neighbours = k.neighbours;
  constexpr bool adds = Schedule::value.accumulates[k.value] == accumulation::add;
  const auto a = source<dimension::time>(m, left, k.kind == kernel_kind::matmul ? 0 : t);
  if constexpr (k.kind == kernel_kind::matmul) {
    constexpr place made = place_of<Schedule>(k.value);
    contract_windows<i.size, N / neighbours>(Backend{}, m.windows, m.windows_over, t, steps, m.batch, a,
                                             m.packed[K], target<dimension::time>(m, made, 0));
    return;
  }
  clear_padding<dimension::time, N, Backend>(m, left, t, steps);
  if constexpr (k.kind == kernel_kind::matmul_transposed) {
    constexpr place made = place_of<Schedule>(k.value);
    const auto dx = target<dimension::time>(m, made, t);
    if constexpr (adds)  // then the backend's kernel gets `true` as its last argument
      contract_windows_transposed<N, i.size / neighbours>(Backend{}, m.windows, m.windows_over, m.batch, a,
                                                          m.packed[K], dx, true);
    else
      contract_windows_transposed<N, i.size / neighbours>(Backend{}, m.windows, m.windows_over, m.batch, a,
                                                          m.packed[K], dx);
  } else if constexpr (k.kind == kernel_kind::gradient_outer) {
    constexpr place right = place_of<Schedule>(i.b);
    constexpr int D = Schedule::value.equations.code[i.b].size / neighbours;
    gradient_outer_windows<N, neighbours, D>(Backend{}, m.windows, m.windows_over, m.batch, a,
                                             source<dimension::time>(m, right, t), m.gradients[i.first],
                                             m.scratch);
  }
}

// A product with parameters, or their gradients, on `steps` steps.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_product(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr dimension axis = k.runs_along();
  constexpr bool has_steps = k.over != domain::batch;
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr int N = Schedule::value.equations.code[i.a].size;
  constexpr bool adds = Schedule::value.accumulates[k.value] == accumulation::add;
  const int rows = has_steps ? steps * m.batch : m.rows;
  constexpr place left = place_of<Schedule>(i.a);
  const auto a = source<axis>(m, left, t);
  if constexpr (k.kind == kernel_kind::matmul) {
    constexpr place made = place_of<Schedule>(k.value);
    const auto y = target<axis>(m, made, t);
    if constexpr (C.shared)
      if (share_product<Backend>(m, rows, long(N) * i.size, [&](piece mine) {
            matmul_piece<i.size, N>(Backend{}, mine, rows, a.data, a.row, m.packed[K], y.data, y.row);
          }))
        return;
    matmul<i.size, N>(Backend{}, rows, a.data, a.row, m.packed[K], y.data, y.row);
  } else if constexpr (k.kind == kernel_kind::matmul_transposed) {
    constexpr place made = place_of<Schedule>(k.value);
    const auto dx = target<axis>(m, made, t);
    constexpr bool is_packed = packed_parameters<Schedule, K, Backend>::size() > 0;
    if constexpr (C.shared)
      if (share_product<Backend>(m, rows, long(N) * i.size, [&](piece mine) {
            if constexpr (is_packed)
              contract_packed_transposed_piece<N, i.size>(Backend{}, mine, rows, a.data, a.row, m.packed[K],
                                                          dx.data, dx.row, adds);
            else
              matmul_transposed_piece<N, i.size>(Backend{}, mine, rows, a.data, a.row, m.symbols[i.first],
                                                 dx.data, dx.row, adds);
          }))
        return;
    if constexpr (adds && is_packed)
      contract_packed_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.packed[K], dx.data, dx.row,
                                            true);
    else if constexpr (adds)
      matmul_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.symbols[i.first], dx.data, dx.row, true);
    else if constexpr (is_packed)
      contract_packed_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.packed[K], dx.data, dx.row);
    else matmul_transposed<N, i.size>(Backend{}, rows, a.data, a.row, m.symbols[i.first], dx.data, dx.row);
  } else {
    if constexpr (has_steps) clear_summed<Schedule, K, i.a, Backend>(m, t, steps);
    if constexpr (k.kind == kernel_kind::gradient_sum) {
      if constexpr (abilities_of<Backend, T>.gradient_sums)
        add_sums_together<Schedule, K, Backend>(m, t, rows);
      else add_gradient_sums<Schedule, K, Backend>(m, rows, a);
    } else {
      constexpr place right = place_of<Schedule>(i.b);
      constexpr int width = Schedule::value.equations.code[i.b].size;
      const auto x = source<axis>(m, right, t);
      if constexpr (has_steps) clear_summed<Schedule, K, i.b, Backend>(m, t, steps);
      if constexpr (C.shared)
        if (share_product<Backend>(m, rows, long(N) * width, [&](piece mine) {
              gradient_outer_piece<N, width>(Backend{}, mine, rows, a.data, a.row, x.data, x.row,
                                             m.gradients[i.first], m.threads->scratch(mine));
            }))
          return;
      if constexpr (scratch_of<Schedule, K, Backend>() > 0)
        gradient_outer<N, width>(Backend{}, rows, a.data, a.row, x.data, x.row, m.gradients[i.first],
                                 m.scratch);
      else gradient_outer<N, width>(Backend{}, rows, a.data, a.row, x.data, x.row, m.gradients[i.first]);
    }
  }
}

}  // namespace tenon::inline v0_1::engine::detail
