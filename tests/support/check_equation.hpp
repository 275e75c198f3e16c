// Laws of an equation: its derivatives agree with central finite differences; the forward and the backward
// program that `split` makes of them, run one after the other, give exactly what the joint program gives.
#pragma once

#include "support/interpret.hpp"
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace_step.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace tenon::test {

/// All inputs vary with every row, except those that are the same at every step.
constexpr list<domain, max_program_inputs> varying(const list<bool, max_program_inputs>& invariant) {
  list<domain, max_program_inputs> all;
  for (bool same : invariant) all.add(same ? domain::batch : domain::rows);
  return all;
}
constexpr bool is_invariant(const program& p, int input) {
  return input < p.varies.size && p.varies[input] == domain::batch;
}

/// Numbers in [-1, 1), the same for the same seed.
class generator {
 public:
  explicit generator(std::uint64_t seed) : state(seed * 2 + 1) {}
  double operator()() {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1;
  }
  int below(int n) { return static_cast<int>(((*this)() + 1) / 2 * n); }
  row numbers(int count) {
    row r;
    for (int k = 0; k < count; ++k) r.push_back((*this)());
    return r;
  }

 private:
  std::uint64_t state;
};

/// [value][time][features] for the inputs of p from `first` on.
inline std::vector<steps> random_inputs(const program& p, int first, int time, generator& random) {
  std::vector<steps> inputs;
  for (int i = first; i < p.inputs.size; ++i) {
    const bool invariant = is_invariant(p, i);
    steps& s = inputs.emplace_back();
    for (int t = 0; t < time; ++t) s.push_back(invariant && t > 0 ? s[0] : random.numbers(p.inputs[i]));
  }
  return inputs;
}

inline void check_close(const row& expected, const row& got, const std::string& what) {
  REQUIRE_MESSAGE(expected.size() == got.size(), what);
  for (std::size_t k = 0; k < got.size(); ++k)
    if (!(std::abs(expected[k] - got[k]) <= 1e-5 + 1e-3 * std::abs(expected[k])))
      FAIL_CHECK(what << '[' << k << "]: expected " << expected[k] << ", got " << got[k]);
}

/// d(sum of seeds * outputs) by central differences, as `which(change)` changes one number of a copy of the
/// operands.
class finite_differences {
 public:
  finite_differences(const program& equations, std::vector<steps> x, std::vector<row> w,
                     std::vector<steps> dy)
      : p(equations), inputs(std::move(x)), symbols(std::move(w)), seeds(std::move(dy)) {
    for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  }
  row of_symbol(std::size_t s) {
    row gradient;
    for (double& w : symbols[s]) gradient.push_back(slope({&w}));
    return gradient;
  }
  /// A number of an invariant input is changed at all steps at once, so its slope belongs to the whole sequence.
  steps of_input(std::size_t i) {
    const bool invariant = is_invariant(p, static_cast<int>(i));
    steps gradient(inputs[i].size());
    for (std::size_t t = 0; t < inputs[i].size(); ++t)
      for (std::size_t j = 0; j < inputs[i][t].size(); ++j) {
        std::vector<double*> changed{&inputs[i][t][j]};
        if (invariant) {
          changed.clear();
          for (row& r : inputs[i]) changed.push_back(&r[j]);
        }
        gradient[t].push_back(slope(changed));
      }
    return gradient;
  }

 private:
  const program& p;
  std::vector<steps> inputs;
  std::vector<row> symbols;
  std::vector<steps> seeds;
  domain domains[max_instructions]{};

  double loss() const {
    const interpretation run = interpret(p, inputs, symbols);
    double total = 0;
    for (int o = 0; o < p.outputs.size; ++o) {
      const steps &y = run.output(p, o), &dy = seeds[static_cast<std::size_t>(o)];
      const bool once = !p.varies.empty() && domains[p.outputs[o]] != domain::rows;
      const std::size_t rows = once ? 1 : y.size();
      for (std::size_t t = 0; t < rows; ++t)
        for (std::size_t j = 0; j < y[t].size(); ++j) total += y[t][j] * dy[t][j];
    }
    return total;
  }
  double slope(const std::vector<double*>& changed) {
    const double step = 1e-6;
    for (double* x : changed) *x += step;
    const double above = loss();
    for (double* x : changed) *x -= 2 * step;
    const double below = loss();
    for (double* x : changed) *x += step;
    return (above - below) / (2 * step);
  }
};

/// Runs the two programs that `split` made, as an engine would, and expects the joint program's numbers.
inline void check_split(const differentiated& d, const interpretation& joint,
                        const std::vector<steps>& inputs, const std::vector<steps>& seeds,
                        const std::vector<row>& symbols) {
  const gradient_pair pair = split(d);
  const interpretation forward = interpret(pair.forward, inputs, symbols);
  for (int o = 0; o < d.outputs; ++o) CHECK(forward.output(pair.forward, o) == joint.output(d.joint, o));

  std::vector<steps> given = inputs;
  given.insert(given.end(), seeds.begin(), seeds.end());
  for (int s : pair.saved) given.push_back(forward.output(pair.forward, s));
  REQUIRE(pair.backward.inputs.size == static_cast<int>(given.size()));
  const interpretation backward = interpret(pair.backward, given, symbols);
  REQUIRE(pair.backward.outputs.size == d.joint.outputs.size - d.outputs);
  for (int o = 0; o < pair.backward.outputs.size; ++o)
    CHECK(backward.output(pair.backward, o) == joint.output(d.joint, d.outputs + o));
  CHECK(backward.gradients == joint.gradients);
  for (int k = 0; k < pair.forward.code.size; ++k) CHECK(pair.forward.code[k].size > 0);
}

/// Both laws for the program unchanged and with its products grouped, with gradients for all inputs and for some of
/// them.
inline void check_equation_gradient(const program& equations, std::uint64_t seed, int time = 3) {
  generator random(seed);
  const std::vector<steps> inputs = random_inputs(equations, 0, time, random);
  std::vector<row> symbols;
  for (int s = 0; s < equations.symbols.size; ++s)
    symbols.push_back(random.numbers(equations.symbols[s].elements()));

  list<bool, max_program_inputs> all;
  for (int i = 0; i < equations.inputs.size; ++i) all.add(true);
  const differentiated plain = reverse(equations, all);
  const std::vector<steps> seeds = random_inputs(plain.joint, equations.inputs.size, time, random);
  std::vector<steps> given = inputs;
  given.insert(given.end(), seeds.begin(), seeds.end());

  finite_differences measured(equations, inputs, symbols, seeds);
  std::vector<row> symbol_slopes;
  std::vector<steps> input_slopes;
  for (std::size_t s = 0; s < symbols.size(); ++s) symbol_slopes.push_back(measured.of_symbol(s));
  for (std::size_t i = 0; i < inputs.size(); ++i) input_slopes.push_back(measured.of_input(i));

  for (const program& p : {equations, group_products(equations)})
    for (int masked = 0; masked < 3; ++masked) {
      list<bool, max_program_inputs> wanted = all;
      for (bool& w : wanted) w = masked == 0 || (masked == 1 && random() < 0);
      const differentiated d = reverse(p, wanted);
      const interpretation run = interpret(d.joint, given, symbols);
      for (std::size_t s = 0; s < symbols.size(); ++s)
        check_close(symbol_slopes[s], run.gradients[s],
                    "gradient of " + std::string(written_as(p.symbols[static_cast<int>(s)]).view()));
      int output = d.outputs;
      for (int i = 0; i < wanted.size; ++i) {
        if (!wanted[i]) continue;
        const steps& got = run.output(d.joint, output++);
        const steps& expected = input_slopes[static_cast<std::size_t>(i)];
        for (std::size_t t = 0; t < got.size(); ++t)
          check_close(expected[t], got[t], "gradient of input " + std::to_string(i));
      }
      check_split(d, run, inputs, seeds, symbols);
    }
}

/// The equation f, a lambda of as many values as there are sizes; with `invariant`, those inputs are the same
/// at each step.
template <class F>
void check_equation(const sizes& features, F f, const list<bool, max_program_inputs>& invariant = {}) {
  const traced t = trace(
      features, {}, {},
      [&](const auto& x) {
        const auto results = ir::detail::call<F, ir::detail::arity_of<F>()>(f, x);
        if constexpr (requires { results.values; }) return results.values;
        else return ir::detail::as_list(results);
      },
      invariant.empty() ? input_axes{} : input_axes{varying(invariant), "time"});
  INFO(std::string(explain(t.wrong).view()));
  REQUIRE(!t.wrong);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) check_equation_gradient(t.equations, seed);
}

template <concepts::Cell C>
void check_step(int input, int hidden, std::uint64_t seed) {
  const traced t = trace_step<C>(input, hidden);
  INFO(std::string(explain(t.wrong).view()));
  REQUIRE(!t.wrong);
  check_equation_gradient(t.equations, seed);
}

}  // namespace tenon::test
