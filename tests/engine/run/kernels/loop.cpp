// A loop that a backend runs whole: by a backend of the test's own, which runs one row after the other, against the cell written out.
#include "tenon/engine/run/kernels/loop.hpp"

#include "support/interpret.hpp"
#include "support/spaced_steps.hpp"
#include "support/worse.hpp"
#include "tenon/backend/reference/reference.hpp"
#include "tenon/engine/run/run_program.hpp"
#include "tenon/equation/trace_step.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tenon::test {

using namespace tenon::engine;

namespace {

constexpr int features = 5, hidden = 7;

// Two states, which are both multiplied and both read unit by unit. k and the number s are the same at every step. One sum begins
// with a vector, one without, and one is multiplied as it is.
template <text Candidate>
struct two_states : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c, auto k, auto s) {
    auto a = tanh(W<Candidate>(x) + U<Candidate>(h) + V<Candidate>(c) + b<Candidate>);
    auto m = sigmoid(U<"m">(h) + vector<"peephole"> * c + k);
    auto e = U<"e">(h) + b<"e">;
    return next(a * c - s * h, m * c + (1 - m) * a).emitting(e * m - a);
  }
};
template <text Candidate>
struct loop_named {
  static constexpr schedule value = [] {
    const step_constants constants{{hidden, 1}, {.varies = {domain::batch, domain::batch}}};
    const program p =
        group_products(trace_step<two_states<Candidate>>(features, hidden, constants).equations);
    return make_staged_schedule(p, {carried_pair{1, 1}, carried_pair{2, 2}}, {.sums = 16, .weights = 1 << 20},
                                {});
  }();
};
using looped = loop_named<"a">;
constexpr const program& equations_of_loop = looped::value.equations;
constexpr loop_body body = loop_of(looped::value);
constexpr program_counts counts{5, 3, looped::value.buffers.size, equations_of_loop.symbols.size,
                                looped::value.kernels.size};
static_assert(body.states.size == 2 && body.stage.products.size == 2 && body.stage.packed == 3);
static_assert(body.stage.products[0].columns.size != body.stage.products[1].columns.size);

// A loop that has only other names is the same code.
template <class Schedule>
using code_of = typename engine::detail::loop_of_schedule<Schedule>::code;
static_assert(std::same_as<code_of<looped>, code_of<loop_named<"candidate">>>);

// --- a backend ---
struct row_after_row : backend::reference {};
int calls = 0;
bool finds_states = true;  // in memory, where the loads of states and the states themselves are

// The weights of a product are as they are stored: [columns, depth].
template <class Loop, class T>
void stage_loop(row_after_row, const backend::loop_steps& steps, int rows, const int* lengths,
                const backend::operand<const T>* states, const T* const* weights, const T* vectors,
                const backend::operand<const T>* loads, const backend::operand<T>* stores) {
  constexpr loop_view loop = Loop::loop;
  constexpr stage_view stage = Loop::stage;
  ++calls;
  for (int r = 0; r < rows; ++r) {
    std::vector<T> now;  // the states before a step, side by side
    for (int s = 0; s < loop.states.size; ++s)
      for (int j = 0; j < loop.states[s]; ++j) now.push_back(states[s].data[r * states[s].row + j]);
    for (int n = 0; n < steps.count; ++n) {
      const int t = steps.backwards ? steps.count - 1 - n : n;
      const auto at = [&](const auto& b, int j) -> auto& { return b.data[t * b.step + r * b.row + j]; };
      const bool has_ended = lengths != nullptr && steps.first + t >= lengths[r];
      for (int s = 0, column = 0; s < loop.states.size; column += loop.states[s++])
        for (int j = 0; j < loop.states[s]; ++j) {
          const int from_begin = steps.backwards ? -n : n;
          const T found = states[s].data[from_begin * states[s].step + r * states[s].row + j];
          finds_states = finds_states && found == now[std::size_t(column + j)];
        }
      std::vector<T> next = now;
      for (int unit = 0; unit < stage.body.width; ++unit) {
        std::vector<T> sums(std::size_t(stage.sums)), local;
        for (int p = 0; p < stage.products.size; ++p) {
          const stage_product& product = stage.products[p];
          for (int c = 0; c < product.columns.size; ++c)
            for (int k = 0; k < product.depth; ++k)
              sums[std::size_t(product.sums[c])] +=
                  now[std::size_t(loop.products[p] + k)] *
                  weights[p][(product.columns[c] + unit) * product.depth + k];
        }
        const auto loaded = [&](int l) {
          const map_load& load = stage.body.loads[l];
          const T begin = load.packed >= 0 ? vectors[load.packed * stage.body.width + unit] : T(0);
          if (load.sum >= 0 || load.packed >= 0)
            return load.sum >= 0 ? begin + sums[std::size_t(load.sum)] : begin;
          const T number = at(loads[l], load.broadcast ? 0 : unit);
          if (loop.loads[l] >= 0)
            finds_states = finds_states && number == now[std::size_t(loop.loads[l] + unit)];
          return number;
        };
        const auto operand_of = [&](int o) { return o < 0 ? T(0) : local[std::size_t(o)]; };
        for (const instruction& i : stage.body.code)
          local.push_back(i.code == opcode::input ? loaded(i.first)
                          : i.code == opcode::constant
                              ? i.number
                              : interpret_element(i.code, operand_of(i.a), operand_of(i.b), operand_of(i.c)));
        for (int s = 0; s < stage.body.stores.size; ++s) {
          T value = local[std::size_t(stage.body.stores[s].local)];
          if (const int column = loop.stores[s]; column >= 0) {
            if (has_ended) value = now[std::size_t(column + unit)];
            next[std::size_t(column + unit)] = value;
          }
          at(stores[s], unit) = value;
        }
      }
      now = next;
    }
  }
}

// --- the cell, with its parameters by name ---
class parameters_by_name {
 public:
  explicit parameters_by_name(noise& random) {
    for (const symbol& s : equations_of_loop.symbols)
      for (int k = 0; k < s.elements(); ++k) numbers.push_back(0.6 * random());
  }
  const double* of(int number) const {  // adjacent in storage are those that one product multiplies
    int before = 0;
    for (int s = 0; s < number; ++s) before += equations_of_loop.symbols[s].elements();
    return numbers.data() + before;
  }
  const double* of(std::string_view letter, std::string_view gate = "") const {
    for (int s = 0; s < equations_of_loop.symbols.size; ++s) {
      const symbol& one = equations_of_loop.symbols[s];
      if (one.letter.view() == letter && one.gate.view() == gate) return of(s);
    }
    throw "no such parameter";
  }
  double product(std::string_view letter, std::string_view gate, std::size_t unit, const row& x) const {
    const double* const weights = of(letter, gate) + unit * x.size();
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += weights[k] * x[k];
    return sum;
  }

 private:
  row numbers;
};
struct cell_values {
  row y, h, c;
};
cell_values cell(const parameters_by_name& theta, const row& x, const row& h, const row& c, const row& k,
                 double s) {
  cell_values next;
  for (std::size_t j = 0; j < hidden; ++j) {
    const double a = std::tanh(theta.product("W", "a", j, x) + theta.product("U", "a", j, h) +
                               theta.product("V", "a", j, c) + theta.of("b", "a")[j]);
    const double m =
        1 / (1 + std::exp(-(theta.product("U", "m", j, h) + theta.of("peephole")[j] * c[j] + k[j])));
    const double e = theta.product("U", "e", j, h) + theta.of("b", "e")[j];
    next.y.push_back(e * m - a);
    next.h.push_back(a * c[j] - s * h[j]);
    next.c.push_back(m * c[j] + (1 - m) * a);
  }
  return next;
}

struct loop_case {
  int rows, steps, together;  // steps that run in one call
  bool backwards, by_row;     // by_row: the outputs of a row are adjacent
  std::vector<int> lengths{};
};

void check(const loop_case& c) {
  CAPTURE(c.together);
  CAPTURE(c.backwards);
  CAPTURE(c.by_row);
  CAPTURE(c.lengths);
  const schedule& s = looped::value;
  noise random(11);
  const parameters_by_name theta(random);
  spaced_steps<double> x(c.steps, c.rows, features), y(c.steps, c.rows, hidden, c.by_row);
  // The states have one step more: each is between two steps of the loop.
  spaced_steps<double> h(c.steps + 1, c.rows, hidden), cells(c.steps + 1, c.rows, hidden);
  spaced_steps<double> k(1, c.rows, hidden), number(1, c.rows, 1);
  for (auto* of : {&x, &h, &cells, &k, &number}) of->fill(random);
  spaced_steps<double>* const states[]{&h, &cells};
  std::vector<cell_values> before;
  for (int r = 0; r < c.rows; ++r) {
    const int start = c.backwards ? c.steps : 0;
    before.push_back({{}, h.row_of(start, r), cells.row_of(start, r)});
  }

  program_memory<double, counts> m{};
  m.batch = c.rows;
  m.rows = c.rows - 1;  // those that were given: the loop runs all
  m.lengths = c.lengths.empty() ? nullptr : c.lengths.data();
  m.in[0] = as_source(x.whole());
  m.in[3] = as_source(k.whole());
  m.in[4] = as_source(number.whole());
  m.out[0] = y.whole();
  for (int of = 0; of < 2; ++of) {
    m.in[1 + of] = as_source(states[of]->whole());
    m.out[1 + of] = states[of]->whole();
    const auto slot = m.out[1 + of].step;
    m.in[1 + of].data += c.backwards ? slot : 0;
    m.out[1 + of].data += c.backwards ? 0 : slot;
  }
  for (int n = 0; n < counts.symbols; ++n) m.symbols[n] = theta.of(n);
  std::vector<std::vector<double>> buffers;
  for (const buffer& b : s.buffers)
    buffers.emplace_back(std::size_t(b.width * c.rows * (b.all_rows ? c.together : 1)), spoiler<double>);
  for (int n = 0; n < counts.buffers; ++n) m.buffers[n] = buffers[std::size_t(n)].data();
  for (int n = 0; n < counts.kernels; ++n)
    if (s.kernels[n].kind == kernel_kind::matmul)
      m.packed[n] = m.symbols[equations_of_loop.code[s.kernels[n].value].first];
  std::vector<double> vectors(std::size_t(body.stage.packed * hidden));
  for (const packed_vector& v : body.stage.vectors)
    for (int j = 0; j < hidden; ++j) vectors[std::size_t(v.number * hidden + j)] += m.symbols[v.symbol][j];
  m.packed[ir::detail::sole_map_of_loop(s)] = vectors.data();

  calls = 0;
  finds_states = true;
  for (int n = 0; n < c.steps; n += c.together) {
    const int count = c.together < c.steps - n ? c.together : c.steps - n;
    m.first_step = c.backwards ? c.steps - n - count : n;
    run_phase<looped, phase::before, row_after_row>(m, m.first_step, count);
    run_loop<looped, row_after_row>(m, {m.first_step, count, c.backwards});
  }
  CHECK(calls == (c.steps + c.together - 1) / c.together);
  CHECK(finds_states);

  double error = 0;
  const auto compare = [&](const row& got, const row& expected) {
    for (std::size_t j = 0; j < hidden; ++j) error = worse(error, std::abs(got[j] - expected[j]));
  };
  for (int r = 0; r < c.rows; ++r)
    for (int n = 0; n < c.steps; ++n) {
      const int t = c.backwards ? c.steps - 1 - n : n, behind = c.backwards ? t : t + 1;
      cell_values& now = before[std::size_t(r)];
      if (c.lengths.empty() || t < c.lengths[std::size_t(r)]) {
        now = cell(theta, x.row_of(t, r), now.h, now.c, k.row_of(0, r), number(0, r, 0));
        compare(y.row_of(t, r), now.y);
      }
      compare(h.row_of(behind, r), now.h);
      compare(cells.row_of(behind, r), now.c);
    }
  CHECK(error < 1e-13);
  for (auto* of : {&y, &h, &cells}) CHECK(of->intact());
}

}  // namespace

TEST_CASE("all steps together, and in pieces, the last of which is shorter") {
  for (const bool backwards : {false, true})
    for (const int together : {1, 4, 11})
      for (const bool by_row : {false, true}) check({3, 11, together, backwards, by_row});
}
TEST_CASE("rows that end at different steps, some before the first, keep their states") {
  for (const bool backwards : {false, true})
    for (const int together : {4, 11}) check({5, 11, together, backwards, false, {0, 11, 1, 10, 6}});
}
TEST_CASE("without steps nothing runs") {
  const program_memory<double, counts> m{};
  calls = 0;
  run_loop<looped, row_after_row>(m, {0, 0, true});
  CHECK(calls == 0);
}

}  // namespace tenon::test
