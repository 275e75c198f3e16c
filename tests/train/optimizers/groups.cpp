// Groups of parameters: which names a pattern matches, what a group changes and what it does not, and what is refused.
#include "tenon/train/optimizers/groups.hpp"

#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

// Two layers and an embedding whose sizes are not multiples of a SIMD vector.
using model =
    graph<"model", input<"tokens", token<7>, steps<3>>, node<"embedded", embedding<7, 5>, "tokens">,
          node<"states", gru<3>, "embedded">, node<"logits", linear<3>, "states.final">, output<"logits">>;
using theta_type = parameters<model>;

template <class Theta>
std::vector<float> numbers(const Theta& theta) {
  return {theta.data(), theta.data() + Theta::block_size};
}
// Gradients that differ from element to element.
theta_type slopes(int step) {
  theta_type g(zeros{});
  for (int k = 0; k < theta_type::block_size; ++k) g.data()[k] = std::sin(static_cast<float>(k + 7 * step));
  return g;
}
// For each parameter separately: the elements whose name fulfils a condition.
template <class F>
std::vector<bool> where(F f) {
  std::vector<bool> all(theta_type::block_size);
  for (const auto& p : theta_type::table)
    if (f(std::string(p.path.view())))
      for (int k = 0; k < p.elements(); ++k) all[static_cast<std::size_t>(p.offset + k)] = true;
  return all;
}
bool is_bias(const std::string& name) { return name.find(".bias") != std::string::npos; }

// Every group against a training of the whole block with that group's numbers.
template <class Rule>
void check_against_whole_blocks(Rule rule, Rule of_bias, Rule of_embedded) {
  theta_type grouped(seed{1}), plain(seed{1}), biases(seed{1}), table(seed{1});
  optimizer<Rule, model> all(rule), a(rule), b(of_bias), c(of_embedded);
  all.groups({{"*.bias*", {.learning_rate = 0.5, .rate_factor = 0.25, .weight_decay = 0}},
              {"embedded.*", {.rate_factor = 0.5}},
              {"states.weight*", {.frozen = true}}});
  for (int step = 0; step < 3; ++step) {
    const theta_type g = slopes(step);
    all.update(grouped, g);
    a.update(plain, g);
    b.update(biases, g);
    c.update(table, g);
  }
  const auto bias = where(is_bias), embedded = where([](const auto&n) { return n == "embedded.weight"; }),
             frozen = where([](const auto&n) { return n.starts_with("states.weight"); }),
             named = where([](const auto&) { return true; });
  const auto start = numbers(theta_type(seed{1})), got = numbers(grouped), p = numbers(plain),
             q = numbers(biases), t = numbers(table);
  long checked = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (!named[k]) continue;
    const float expected = frozen[k] ? start[k] : bias[k] ? q[k] : embedded[k] ? t[k] : p[k];
    CHECK(got[k] == expected);
    ++checked;
  }
  CHECK(checked == theta_type::count());
}
TEST_CASE("each group is updated as a block with its numbers is; what is frozen keeps its bits") {
  check_against_whole_blocks(optimizers::sgd{.learning_rate = 0.1, .momentum = 0.5, .weight_decay = 0.25},
                             optimizers::sgd{.learning_rate = 0.125, .momentum = 0.5},
                             optimizers::sgd{.learning_rate = 0.05, .momentum = 0.5, .weight_decay = 0.25});
  check_against_whole_blocks(optimizers::adam{.learning_rate = 0.1, .weight_decay = 0.25},
                             optimizers::adam{.learning_rate = 0.125},
                             optimizers::adam{.learning_rate = 0.05, .weight_decay = 0.25});
}

TEST_CASE("a schedule's rate reaches factors, and not rates of a group's own") {
  theta_type theta(zeros{});
  const theta_type g = [] {
    theta_type all(zeros{});
    std::fill_n(all.data(), theta_type::block_size, 1.0f);
    return all;
  }();
  optimizer<optimizers::sgd, model> o(optimizers::sgd{.learning_rate = 8});
  o.groups({{"embedded.*", {.learning_rate = 0.5}}, {"logits.*", {.rate_factor = 0.25}}});
  o.rule.learning_rate = 4;
  o.update(theta, g);
  CHECK(get<"embedded.weight">(theta)(0, 0) == -0.5f);
  CHECK(get<"logits.weight">(theta)(0, 0) == -1);
  CHECK(get<"states.weight_ih_l0">(theta)(0, 0) == -4);
}
TEST_CASE("of groups that set the same the later one counts, and new groups replace the old ones") {
  theta_type theta(zeros{});
  theta_type g(zeros{});
  std::fill_n(g.data(), theta_type::block_size, 1.0f);
  optimizer<optimizers::sgd, model> o(optimizers::sgd{.learning_rate = 1});
  o.groups({{"*", {.learning_rate = 3}}, {"logits.*", {.learning_rate = 2}}, {"e*", {.frozen = true}}});
  o.update(theta, g);
  CHECK(get<"embedded.weight">(theta)(0, 0) == 0);
  CHECK(get<"logits.bias">(theta)(0) == -2);
  o.groups({});
  o.update(theta, g);
  CHECK(get<"embedded.weight">(theta)(0, 0) == -1);
  CHECK(get<"logits.bias">(theta)(0) == -3);
}

TEST_CASE("what one group freezes no later group learns") {
  theta_type theta(zeros{});
  const theta_type g = slopes(1);
  optimizer<optimizers::sgd, model> o(optimizers::sgd{.learning_rate = 1});
  o.groups({{"logits.*", {.frozen = true}}, {"*", {.rate_factor = 2}}, {"*.bias", {.weight_decay = 0.5}}});
  o.update(theta, g);
  for (int c = 0; c < 3; ++c) CHECK(get<"logits.bias">(theta)(c) == 0);
  CHECK(get<"embedded.weight">(theta)(2, 2) == -2 * get<"embedded.weight">(g)(2, 2));
}
TEST_CASE("groups that differ in their decay only decay differently") {
  theta_type theta(zeros{});
  std::fill_n(theta.data(), theta_type::block_size, 8.0f);
  optimizer<optimizers::sgd, model> o(optimizers::sgd{.learning_rate = 1, .weight_decay = 0.5});
  o.groups({{"embedded.*", {.weight_decay = 0.25}}, {"logits.*", {.weight_decay = 0}}});
  o.update(theta, theta_type(zeros{}));
  CHECK(get<"embedded.weight">(theta)(1, 1) == 6);
  CHECK(get<"states.weight_hh_l0">(theta)(1, 1) == 4);
  CHECK(get<"logits.weight">(theta)(1, 1) == 8);
}

// A table that is also the last layer.
using tied = graph<"tied", input<"tokens", token<6>, steps<3>>, node<"embedded", embedding<6, 4>, "tokens">,
                   node<"states", rnn<4>, "embedded">, node<"logits", linear<6>, "states.final">,
                   tied<"logits.weight", "embedded.weight">, output<"logits">>;
TEST_CASE("a parameter that is tied is matched by each of its names") {
  for (const char* pattern : {"logits.weight", "embedded.weight"}) {
    parameters<tied> theta(seed{1}), g(zeros{});
    std::fill_n(g.data(), parameters<tied>::block_size, 1.0f);
    optimizer<optimizers::sgd, tied> o;
    o.groups({{pattern, {.frozen = true}}});
    o.update(theta, g);
    const parameters<tied> start(seed{1});
    CHECK(get<"embedded.weight">(theta)(3, 2) == get<"embedded.weight">(start)(3, 2));
    CHECK(get<"logits.bias">(theta)(3) != get<"logits.bias">(start)(3));
  }
}

struct fixed_rate {
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
  std::array<double, 1> constants(long) const { return {0.1}; }
};
template <class Rule>
std::string refusal(std::initializer_list<optimizers::parameter_group> groups) {
  optimizer<Rule, model> o;
  o.groups({{"embedded.*", {.frozen = true}}});
  try {
    o.groups(groups);
  } catch (const input_error& error) {
    theta_type theta(zeros{});
    o.update(theta, slopes(1));  // the earlier groups still apply
    CHECK(get<"embedded.weight">(theta)(1, 1) == 0);
    CHECK(get<"logits.bias">(theta)(1) != 0);
    return error.what();
  }
  return "no error";
}
TEST_CASE("what means nothing is refused, and changes nothing") {
  CHECK(refusal<optimizers::sgd>({{"embeded.*", {.learning_rate = 1}}}) ==
        "groups: no parameter matches 'embeded.*'; the nearest is 'embedded.weight'");
  CHECK(refusal<optimizers::sgd>({{"*", {}}, {"*.baas", {.weight_decay = 0}}}) ==
        "groups: no parameter matches '*.baas'; the nearest is 'logits.bias'");
  CHECK(refusal<optimizers::sgd>({{"*", {.learning_rate = -1}}}) ==
        "groups: '*': expected a learning_rate of at least 0, got -1.000000");
  CHECK(refusal<optimizers::sgd>({{"*", {.rate_factor = std::numeric_limits<double>::quiet_NaN()}}})
            .starts_with("groups: '*': expected a rate_factor of at least 0, got "));
  CHECK(refusal<optimizers::sgd>({{"*", {.weight_decay = std::numeric_limits<double>::infinity()}}}) ==
        "groups: '*': expected a weight_decay of at least 0, got inf");
  CHECK(refusal<optimizers::sgd>({{"logits.*", {.max_norm = -2}}}) ==
        "groups: 'logits.*': expected a max_norm of at least 0, got -2.000000");
  CHECK(refusal<optimizers::sparse_adam>({{"*", {.weight_decay = 0.1}}}) ==
        "groups: '*': update rule 'optimizers::sparse_adam' has no weight_decay");
  CHECK(
      refusal<fixed_rate>({{"*.bias*", {.rate_factor = 0.1}}}).ends_with("fixed_rate' has no learning_rate"));
}

// --- in a trainer --------------------------------------------------------------------------------------------
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>>;
void feed(training& t) {
  set_input<"tokens">(t, std::vector<std::vector<int>>{{1, 2, 3}, {4, 5}, {6}, {0, 1, 0}});
  set_input<"target">(t, std::vector{0, 1, 2, 1});
}
template <class F>
double norm_where(const theta_type& g, F f) {
  double sum = 0;
  const auto chosen = where(f);
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) sum += double(g.data()[k]) * double(g.data()[k]);
  return std::sqrt(sum);
}
bool is_last(const std::string& name) { return name.starts_with("logits."); }
bool is_of_states(const std::string& name) { return name.starts_with("states."); }

TEST_CASE("gradients are clipped by value, by the norm of a group, and by that of all that is learned") {
  theta_type theta(seed{1});
  training t(theta, {.learning_rate = 0.5});
  feed(t);
  t.step();
  const theta_type raw = t.gradients();
  const auto restart = [&] {
    theta.initialize(seed{1});
    feed(t);
  };
  const auto at = [](const theta_type& g, std::size_t k) { return double(g.data()[k]); };

  restart();
  t.max_value = 0.02;
  t.step();
  std::size_t limited = 0;
  for (std::size_t k = 0; k < theta_type::block_size; ++k) {
    CHECK(at(t.gradients(), k) == doctest::Approx(std::max(-0.02, std::min(0.02, at(raw, k)))).epsilon(1e-5));
    limited += std::abs(at(raw, k)) > 0.02;
  }
  CHECK(limited > 10);

  restart();
  t.max_value = 0;
  t.groups({{"logits.*", {.max_norm = 0.1}}, {"states.*", {.max_norm = 100}}});
  t.step();
  CHECK(norm_where(raw, is_last) > 0.2);
  CHECK(norm_where(t.gradients(), is_last) == doctest::Approx(0.1).epsilon(1e-4));
  const auto last = where(is_last);
  for (std::size_t k = 0; k < theta_type::block_size; ++k)
    if (!last[k]) CHECK(at(t.gradients(), k) == doctest::Approx(at(raw, k)).epsilon(1e-5));

  restart();  // two groups, each to a norm of its own, in either order
  for (const bool last_first : {true, false}) {
    const optimizers::parameter_group of_last{"logits.*", {.max_norm = 0.1}},
        of_states{"states.*", {.max_norm = 0.05}};
    if (last_first) t.groups({of_last, of_states});
    else t.groups({of_states, of_last});
    restart();
    t.step();
    CHECK(norm_where(raw, is_of_states) > 0.06);
    CHECK(norm_where(t.gradients(), is_last) == doctest::Approx(0.1).epsilon(1e-4));
    CHECK(norm_where(t.gradients(), is_of_states) == doctest::Approx(0.05).epsilon(1e-4));
  }

  restart();
  t.max_norm = 0.125;
  t.groups({{"logits.*", {.frozen = true}}});
  t.step();
  CHECK(norm_where(t.gradients(), [](const auto& n) { return !is_last(n); }) ==
        doctest::Approx(std::min(0.125, norm_where(raw, [](const auto& n) { return !is_last(n); })))
            .epsilon(1e-4));
  CHECK(norm_where(t.gradients(), is_last) == doctest::Approx(norm_where(raw, is_last)).epsilon(1e-5));
  CHECK(norm_where(raw, [](const auto& n) { return !is_last(n); }) > 0.125);
}

}  // namespace tenon::test
