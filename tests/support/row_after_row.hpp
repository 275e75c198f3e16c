// A backend whose kernels are the reference's, and which runs the loops of maps and products with transposed matrices that it is given
// whole, one row after the other.
#pragma once

#include "support/interpret.hpp"
#include "tenon/backend/reference/reference.hpp"
#include "tenon/backend/row_loop.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace tenon::test {

struct row_after_row : backend::reference {};
constexpr loop_limits limits_of_loops(row_after_row, int) { return {.weights = 10000, .columns = 1000}; }

// What it was given: how often, and the states of the last call.
inline int row_loop_calls = 0;
inline const void* given_state = nullptr;
inline int given_states = 0;

// What is left to do of one row at one step.
template <class T>
struct row_at_step {
  int t;  // from the first step in memory
  int r;
  std::vector<T>& numbers;
  const backend::row_load<T>* loads;
  const backend::row_store<T>* stores;
  const backend::row_product<T>* products;

  T& at(int column) { return numbers.at(std::size_t(column)); }
  template <class Code>
  void run(backend::row_map<Code>) {
    constexpr map_view map = Code::body;
    for (int j = 0; j < map.width; ++j) {
      std::vector<T> local;
      const auto operand_of = [&](int o) { return o < 0 ? T(0) : local[std::size_t(o)]; };
      const auto loaded = [&](int l) {
        const int unit = map.loads[l].broadcast ? 0 : j;
        const backend::row_load<T>& from = loads[l];
        return from.column >= 0 ? at(from.column + unit) : from.data[t * from.step + r * from.row + unit];
      };
      for (const instruction& i : map.code)
        local.push_back(
            i.code == opcode::input ? loaded(i.first)
            : i.code == opcode::constant
                ? T(i.number)
                : T(interpret_element(i.code, operand_of(i.a), operand_of(i.b), operand_of(i.c))));
      for (int s = 0; s < map.stores.size; ++s) {
        const T value = local[std::size_t(map.stores[s].local)];
        if (stores[s].column >= 0) at(stores[s].column + j) = value;
        if (stores[s].data != nullptr) stores[s].data[t * stores[s].step + r * stores[s].row + j] = value;
      }
    }
    loads += map.loads.size;
    stores += map.stores.size;
  }
  template <int Depth, int Size>
  void run(backend::row_transposed<Depth, Size>) {
    for (int k = 0; k < Size; ++k) {
      T sum = 0;
      for (int n = 0; n < Depth; ++n) sum += at(products->from + n) * products->w[n * Size + k];
      at(products->to + k) = sum;
    }
    ++products;
  }
};
template <class Shape, class... Kernels, class T>
void row_loop(row_after_row, const backend::row_loop_memory<T>& m) {
  ++row_loop_calls;
  given_state = m.state;
  given_states = m.states;
  for (int r = 0; r < m.rows; ++r) {
    std::vector<T> numbers(Shape::columns, std::numeric_limits<T>::quiet_NaN());
    for (int s = 0; s < m.states; ++s)
      for (int j = 0; j < m.state[s].features; ++j)
        numbers[std::size_t(m.state[s].column + j)] = m.state[s].begin[r * m.state[s].features + j];
    for (int n = 0; n < m.steps.count; ++n) {
      const int t = m.steps.backwards ? m.steps.count - 1 - n : n, step = m.steps.first + t;
      const bool is_active = m.lengths == nullptr || step < m.lengths[r];
      for (int s = 0; s < m.states; ++s)
        for (int j = 0; j < m.state[s].features && m.state[s].next != nullptr; ++j)
          m.state[s].next[t * m.state[s].step + r * m.state[s].features + j] =
              is_active ? numbers[std::size_t(m.state[s].column + j)] : T(0);
      std::vector<T> now = numbers;  // a row that has ended runs with zeros, and keeps what it carries
      for (int c = 0; c < Shape::carried && !is_active; ++c) now[std::size_t(c)] = T(0);
      row_at_step<T> one{t, r, now, m.loads, m.stores, m.products};
      (one.run(Kernels{}), ...);
      for (int c = 0; c < Shape::carried && is_active; ++c)
        numbers[std::size_t(c)] = one.at(Shape::carried + c);
      for (int s = 0; s < m.states; ++s)
        for (int j = 0; j < m.state[s].features; ++j)
          m.state[s].adjoint[step * m.state[s].adjoint_step + step % 2 * m.state[s].parity_step +
                             r * m.state[s].features + j] = numbers[std::size_t(m.state[s].column + j)];
    }
  }
}

}  // namespace tenon::test
