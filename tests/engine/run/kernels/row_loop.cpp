// A loop of maps and products with transposed matrices that a backend runs whole: by a backend of the test's own, which runs one row after
// the other, against the recurrence written out.
#include "tenon/engine/run/kernels/row_loop.hpp"

#include "support/row_after_row.hpp"
#include "support/spaced_steps.hpp"
#include "support/worse.hpp"
#include "tenon/lowering/make_schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace tenon::test {

using namespace tenon::engine;

namespace {

// Two values are carried: p [5] and q [3]. x [5], z [7] and the number s vary with time, k [5] does not.
//   u = p x + k,  v = A^T u,  w = v z + d,  p' = B^T w,  q' = (C^T w) s + q + v[2 .. 5],  y = u x
// The sum of all u is computed after the loop, so that u is in memory at every step.
constexpr int of_p = 5, of_q = 3, of_v = 7, part = 2;
enum inputs : int { x_, p_, z_, q_, k_, s_, input_count };
enum outputs : int { q_next, y_, p_next, output_count };
enum symbols : int { A, B, C, d, sum_of_u, symbol_count };

struct recurrence {
  static constexpr schedule value = [] {
    program to;
    const auto input = [&](int size, domain varies) {
      to.inputs.add(size);
      to.varies.add(varies);
      return short(to.code.add({.code = opcode::input, .first = to.inputs.size - 1, .size = size}));
    };
    const auto map = [&](opcode code, short a, short b, int size) {
      return short(to.code.add({.code = code, .a = a, .b = b, .size = size}));
    };
    const auto transposed = [&](int symbol, short a, int size) {
      return short(to.code.add(
          {.code = opcode::matmul_transposed, .a = a, .first = symbol, .count = 1, .size = size}));
    };
    to.symbols.add({.letter = "A", .rows = of_p, .columns = of_v});
    to.symbols.add({.letter = "B", .rows = of_v, .columns = of_p});
    to.symbols.add({.letter = "C", .rows = of_v, .columns = of_q});
    to.symbols.add({.letter = "d", .rows = of_v});
    to.symbols.add({.letter = "u", .rows = of_p});
    const short x = input(of_p, domain::rows), p = input(of_p, domain::rows), z = input(of_v, domain::rows),
                q = input(of_q, domain::rows), k = input(of_p, domain::batch), s = input(1, domain::rows);
    const short u = map(opcode::add, map(opcode::multiply, p, x, of_p), k, of_p);
    const short v = transposed(A, u, of_v);
    const short bias = short(to.code.add({.code = opcode::vector, .first = d, .size = of_v}));
    const short w = map(opcode::add, map(opcode::multiply, v, z, of_v), bias, of_v);
    const short new_p = transposed(B, w, of_p);
    const short scaled = map(opcode::multiply, transposed(C, w, of_q), s, of_q);
    const short cut = short(to.code.add({.code = opcode::slice, .a = v, .first = part, .size = of_q}));
    to.outputs.add(map(opcode::add, map(opcode::add, scaled, q, of_q), cut, of_q));
    to.outputs.add(map(opcode::multiply, u, x, of_p));
    to.outputs.add(new_p);
    to.effects.add(to.code.add({.code = opcode::gradient_sum, .a = u, .first = sum_of_u, .size = of_p}));
    return make_schedule(to, {carried_pair{q_, q_next}, carried_pair{p_, p_next}});
  }();
};
constexpr program_counts counts{input_count, output_count, recurrence::value.buffers.size, symbol_count,
                                recurrence::value.kernels.size};
constexpr row_loop_body body = row_loop_of(recurrence::value);
static_assert(body.carried == of_p + of_q && body.kernels.size == 6 &&
              body.columns == 2 * body.carried + of_p + 2 * of_v + of_q);

// --- the recurrence written out ---
struct values_of_row {
  row p, q, u{}, y{};
};
row transposed(const row& w, const row& g, std::size_t size) {  // w [g.size(), size]
  row sums(size);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t n = 0; n < g.size(); ++n) sums[k] += w[n * size + k] * g[n];
  return sums;
}
values_of_row next_of(const values_of_row& now, const std::vector<row>& theta, const row& x, const row& z,
                      double s, const row& k) {
  values_of_row next;
  for (std::size_t j = 0; j < of_p; ++j) next.u.push_back(now.p[j] * x[j] + k[j]);
  for (std::size_t j = 0; j < of_p; ++j) next.y.push_back(next.u[j] * x[j]);
  const row v = transposed(theta[A], next.u, of_v);
  row w;
  for (std::size_t j = 0; j < of_v; ++j) w.push_back(v[j] * z[j] + theta[d][j]);
  next.p = transposed(theta[B], w, of_p);
  next.q = transposed(theta[C], w, of_q);
  for (std::size_t j = 0; j < of_q; ++j) next.q[j] = next.q[j] * s + now.q[j] + v[part + j];
  return next;
}

struct row_loop_case {
  int rows, steps, together;  // steps that run in one call
  bool backwards, by_row;     // by_row: the steps of a row are adjacent in memory
  std::vector<int> lengths{};
};

void check(const row_loop_case& c) {
  CAPTURE(c.together);
  CAPTURE(c.backwards);
  CAPTURE(c.by_row);
  CAPTURE(c.lengths);
  const schedule& s = recurrence::value;
  noise random(13);
  std::vector<row> theta;
  for (const symbol& one : s.equations.symbols) {
    theta.emplace_back(std::size_t(one.elements()));
    for (double& number : theta.back()) number = 0.5 * random();
  }
  spaced_steps<double> x(c.steps, c.rows, of_p, c.by_row), z(c.steps, c.rows, of_v, c.by_row),
      scale(c.steps, c.rows, 1, c.by_row), k(1, c.rows, of_p), y(c.steps, c.rows, of_p, c.by_row);
  for (auto* of : {&x, &z, &scale, &k}) of->fill(random);
  row start_p(std::size_t(c.rows * of_p)), start_q(std::size_t(c.rows * of_q));
  for (row* of : {&start_p, &start_q})
    for (double& number : *of) number = random();
  row all_p(start_p.size() * std::size_t(c.steps)), all_q(start_q.size() * std::size_t(c.steps));

  program_memory<double, counts> m{};
  m.batch = c.rows;
  m.rows = c.rows - 1;  // those that were given: the loop runs all
  m.lengths = c.lengths.empty() ? nullptr : c.lengths.data();
  m.in[x_] = as_source(x.whole());
  m.in[z_] = as_source(z.whole());
  m.in[s_] = as_source(scale.whole());
  m.in[k_] = as_source(k.whole());
  m.out[y_] = y.whole();
  // What is carried is written where the caller says, and not here, where a loop of single steps writes it.
  constexpr double untouched = 99;
  spaced_steps<double> never_p(c.steps, c.rows, of_p), never_q(c.steps, c.rows, of_q);
  for (auto* of : {&never_p, &never_q}) of->fill([&] { return untouched; });
  m.out[p_next] = never_p.whole();
  m.out[q_next] = never_q.whole();
  for (int n = 0; n < symbol_count; ++n) m.symbols[n] = theta[std::size_t(n)].data();
  std::vector<row> buffers;
  for (const buffer& b : s.buffers)
    buffers.emplace_back(std::size_t(b.width * c.rows * (b.all_rows ? c.together : 1)), untouched);
  for (int n = 0; n < counts.buffers; ++n) m.buffers[n] = buffers[std::size_t(n)].data();
  const place of_u = s.places[s.equations.code[s.equations.effects[0]].a];
  REQUIRE(of_u.in == space::buffer);
  REQUIRE(s.buffers[of_u.index].all_rows);

  // The states are in the order of the carried pairs: q, then p.
  backend::row_state<double> states[]{
      {0, of_q, start_q.data(), nullptr, 0, all_q.data(), c.rows * of_q, 0, true},
      {of_q, of_p, start_p.data(), nullptr, 0, all_p.data(), c.rows * of_p, 0, true}};
  std::vector<values_of_row> now;
  for (std::ptrdiff_t r = 0; r < c.rows; ++r)
    now.push_back({row(start_p.begin() + r * of_p, start_p.begin() + (r + 1) * of_p),
                   row(start_q.begin() + r * of_q, start_q.begin() + (r + 1) * of_q)});
  double error = 0;
  row_loop_calls = 0;
  for (int n = 0; n < c.steps; n += c.together) {
    const int count = c.together < c.steps - n ? c.together : c.steps - n;
    m.first_step = c.backwards ? c.steps - n - count : n;
    run_row_loop<recurrence, row_after_row>(m, {m.first_step, count, c.backwards}, 2, states);
    CHECK(given_state == states);
    CHECK(given_states == 2);
    const int last = c.backwards ? m.first_step : m.first_step + count - 1;
    for (auto& state : states) state.begin = state.adjoint + last * state.adjoint_step;

    for (int i = 0; i < count; ++i) {
      const int t = c.backwards ? m.first_step + count - 1 - i : m.first_step + i;
      for (int r = 0; r < c.rows; ++r) {
        const auto compare = [&](const double* got, const row& expected) {
          for (std::size_t j = 0; j < expected.size(); ++j)
            error = worse(error, std::abs(got[j] - expected[j]));
        };
        values_of_row& of_row = now[std::size_t(r)];
        if (c.lengths.empty() || t < c.lengths[std::size_t(r)]) {
          of_row = next_of(of_row, theta, x.row_of(t, r), z.row_of(t, r), scale(t, r, 0), k.row_of(0, r));
          compare(&y(t, r, 0), of_row.y);
          compare(m.buffers[of_u.index] + ((t - m.first_step) * c.rows + r) * of_p, of_row.u);
        }
        compare(all_p.data() + (t * c.rows + r) * of_p, of_row.p);
        compare(all_q.data() + (t * c.rows + r) * of_q, of_row.q);
      }
    }
  }
  CHECK(row_loop_calls == (c.steps + c.together - 1) / c.together);
  CHECK(y.intact());
  for (auto* of : {&never_p, &never_q})
    for (const double number : of->numbers.numbers()) error = worse(error, std::abs(number - untouched));
  CHECK(error < 1e-13);
  for (int n = 0; n < counts.buffers; ++n)
    if (n != of_u.index)  // what only the loop reads does not go to memory
      CHECK(buffers[std::size_t(n)] == row(buffers[std::size_t(n)].size(), untouched));
}

}  // namespace

TEST_CASE("all steps together, and in pieces, the last of which is shorter") {
  for (const bool backwards : {false, true})
    for (const int together : {1, 4, 11})
      for (const bool by_row : {false, true}) check({3, 11, together, backwards, by_row});
}
TEST_CASE("rows that end at different steps, some before the first, keep what is carried") {
  for (const bool backwards : {false, true})
    for (const int together : {4, 11}) check({5, 11, together, backwards, false, {0, 11, 1, 10, 6}});
}
TEST_CASE("without steps nothing runs") {
  const program_memory<double, counts> m{};
  const backend::row_state<double>* const none = nullptr;
  row_loop_calls = 0;
  run_row_loop<recurrence, row_after_row>(m, {0, 0, true}, 0, none);
  CHECK(row_loop_calls == 0);
}

}  // namespace tenon::test
