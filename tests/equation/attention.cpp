// The backward program of attention against finite differences of the whole: softmax of scores, and the weighted sum
// of states.
#include "support/check_equation.hpp"
#include <tenon/equation/accumulate.hpp>
#include <tenon/equation/attention.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::equations;
using namespace tenon::test;

namespace {

struct dot_score {
  static constexpr auto at(auto s, auto h) { return dot(s, h); }
};
struct additive_score {
  static constexpr auto at(auto s, auto h) { return equations::matrix<"v", 1>(tanh(W<"", 4>(s) + U<"", 4>(h) + b<>)); }
};
struct own_output {  // whose derivative reads the score itself
  static constexpr auto at(auto s, auto h) { return exp(0.3 * dot(s, h)); }
};
struct of_states_alone {
  static constexpr auto at(auto s, auto h) { return sum(h * h) + 0 * sum(s); }
};

constexpr int features = 3, time_steps = 4;
template <class Score>
constexpr program score = [] {
  program p = trace_at<Score>(sizes{features, features}).equations;
  p.timeless = {true, false};
  return p;
}();
template <class Score>
constexpr gradient_pair pair_of = split(reverse(score<Score>, {true, true}));

struct attended {
  row context = row(features);
  steps weights{};
};
// The whole by its definition.
attended attend(const program& p, const row& query, const steps& states, const std::vector<row>& symbols) {
  attended y;
  const steps scores = interpret(p, {steps(states.size(), query), states}, symbols).output(p, 0);
  double total = 0;
  for (const row& e : scores) y.weights.push_back({std::exp(e[0])}), total += y.weights.back()[0];
  for (std::size_t t = 0; t < states.size(); ++t) {
    y.weights[t][0] /= total;
    for (std::size_t j = 0; j < features; ++j) y.context[j] += y.weights[t][0] * states[t][j];
  }
  return y;
}

template <class Score, bool OfContext, bool OfWeights>
void check() {
  constexpr const program& p = score<Score>;
  constexpr const gradient_pair& pair = pair_of<Score>;
  constexpr program backward = attention_backward(
      pair.backward, {.of_context = OfContext, .of_weights = OfWeights, .of_query = true, .of_states = true});
  generator random(3);
  std::vector<row> symbols;
  for (const symbol& w : p.symbols) symbols.push_back(random.numbers(w.elements()));
  row query = random.numbers(features);
  steps states, a;
  for (int t = 0; t < time_steps; ++t)
    states.push_back(random.numbers(features)), a.push_back(random.numbers(1));
  const row g = random.numbers(features);

  const auto loss = [&] {
    const attended y = attend(p, query, states, symbols);
    double sum = 0;
    for (std::size_t j = 0; j < features && OfContext; ++j) sum += g[j] * y.context[j];
    for (std::size_t t = 0; t < states.size() && OfWeights; ++t) sum += a[t][0] * y.weights[t][0];
    return sum;
  };
  const auto difference = [&](double& x) {
    const double at = x, step = 1e-5;
    x = at + step;
    const double above = loss();
    x = at - step;
    const double below = loss();
    x = at;
    return (above - below) / (2 * step);
  };
  const attended y = attend(p, query, states, symbols);
  const interpretation forward = interpret(pair.forward, {steps(time_steps, query), states}, symbols);
  std::vector<steps> inputs{steps(time_steps, query), states, y.weights};
  for (int saved : pair.saved) inputs.push_back(forward.output(pair.forward, saved));
  if (OfContext) inputs.push_back(steps(time_steps, g)), inputs.push_back(steps(time_steps, y.context));
  if (OfWeights) inputs.push_back(a);
  REQUIRE(int(inputs.size()) == backward.inputs.size);

  const interpretation got = interpret(backward, inputs, symbols);
  for (std::size_t j = 0; j < features; ++j) {
    CAPTURE(j);
    CHECK(got.output(backward, 0)[0][j] == doctest::Approx(difference(query[j])).epsilon(1e-6));
    for (std::size_t t = 0; t < states.size(); ++t)
      CHECK(got.output(backward, 1)[t][j] == doctest::Approx(difference(states[t][j])).epsilon(1e-6));
  }
  for (std::size_t s = 0; s < symbols.size(); ++s)
    for (std::size_t k = 0; k < symbols[s].size(); ++k)
      CHECK(got.gradients[s][k] == doctest::Approx(difference(symbols[s][k])).epsilon(1e-6));
}
template <class Score>
void check_all() {
  check<Score, true, false>();
  check<Score, false, true>();
  check<Score, true, true>();
}

// What the engine makes of it: one pass over the states in blocks of steps.
constexpr schedule in_maps = with_accumulation(
    make_schedule(attention_backward(pair_of<dot_score>.backward,
                                     {.of_context = true, .of_query = true, .of_states = true}),
                  {}),
    {false, false});
static_assert(runs_in_blocks(in_maps));
constexpr bool keeps_rows_of_states(const schedule& s) {
  for (const buffer& b : s.buffers)
    if (b.width > 1) return true;
  return false;
}
static_assert(!keeps_rows_of_states(in_maps), "alpha g is computed where it is added");
static_assert(!runs_in_blocks(
                  make_schedule(attention_backward(pair_of<dot_score>.backward,
                                                   {.of_context = true, .of_query = true, .of_states = true}),
                                {})),
              "a sum over time in a pass of its own reads all steps");
static_assert(!runs_in_blocks(make_schedule(score<additive_score>, {})), "products are of all rows at once");

}  // namespace

TEST_CASE("gradients of attention are the differences of the whole") {
  check_all<dot_score>();
  check_all<additive_score>();
  check_all<own_output>();
  check_all<of_states_alone>();
}
