// The options that a plan gives to the compiler of programs, by batch and backend: which products a time loop keeps, how many of its
// steps go through all phases at a time, where adjoints are added in place; and the gradient of a cell.
#include <tenon/tenon.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

namespace {

// clang-format off
template <int Hidden>
using of_features = graph<"of_features",
    input<"x", features<8>, steps<5>>,
    node<"states", lstm<Hidden>, "x">,
    output<"states">>;
using of_tokens = graph<"of_tokens",
    input<"tokens", token<3>, steps<5>>,
    node<"vectors", embedding<3, 8>, "tokens">,
    node<"states",  lstm<8>,      "vectors">,
    output<"states">>;
// clang-format on

/// Products before the loop of the recurrent layer, and in it.
struct products {
  int before = 0, loop = 0, of_table = 0;
  constexpr bool operator==(const products&) const = default;
};
template <class Session, int O = 0>
constexpr products products_of() {
  using plan = typename Session::plan;
  constexpr auto& operations = plan::net.operations;
  if constexpr (operations[O].kind != operation_kind::scan) return products_of<Session, O + 1>();
  else {
    products n;
    for (const kernel& k : plan::template program_of<O>::forward_schedule::value.kernels)
      if (k.kind == kernel_kind::matmul) {
        n.before += k.when == phase::before;
        n.loop += k.when == phase::loop;
        n.of_table += k.of_table;
      }
    return n;
  }
}

static_assert(products_of<inference<of_features<8>>>() == products{0, 2, 0}, "one row, few weights");
static_assert(products_of<inference<of_features<8>, batch<2>>>() == products{1, 1, 0}, "several rows");
static_assert(products_of<inference<of_features<64>>>() == products{1, 1, 0}, "many weights");
static_assert(products_of<inference<of_features<8>, on<backend::reference>>>() == products{1, 1, 0});
static_assert(products_of<inference<of_tokens>>() == products{1, 1, 1}, "rows of a table are not multiplied");

// --- where a program adds to the adjoint of its input: only what others have begun, by a map, on a backend that can ---
struct squashed {
  static constexpr auto at(auto h) { return tanh(h); }
};
using read_twice = graph<"read twice", input<"x", features<3>>, node<"h", linear<5>, "x">,
                         node<"a", squashed, "h">, node<"y", linear<2>, "h">, output<"a">, output<"y">>;
template <class Plan>
constexpr int maker_of(const char* path) {
  for (int o = 0; o < Plan::net.operations.size; ++o)
    if (Plan::net.edges[Plan::net.operations[o].out[0]].path == ir::name(path)) return o;
  return -1;
}
template <int O, class... Options>
constexpr bool adds_in_place =
    differentiation<read_twice, void, Options...>::plan::template program_of<O>::adds_in_place(0);
constexpr int a = maker_of<differentiation<read_twice>::plan>("a"),
              y = maker_of<differentiation<read_twice>::plan>("y");
static_assert(a < y && adds_in_place<a> && !adds_in_place<y>);
static_assert(!adds_in_place<a, on<backend::reference>> && !adds_in_place<y, on<backend::reference>>);

// --- loops that a backend runs whole, as pieces of as many steps as have so many numbers ---
template <long Numbers>
struct looping : backend::cpu {};
template <long Numbers>
constexpr stage_limits limits_of_stages(looping<Numbers>, int) {
  return {.sums = 16, .weights = 1 << 20};
}
template <long Numbers>
constexpr loop_limits limits_of_loops(looping<Numbers>, int) {
  return {.weights = 1 << 20, .states = 64, .numbers = Numbers};
}
constexpr long numbers_of_one_step = 64 * 4 * 7;  // of 64 rows: what the gates' products of x are
template <long Numbers>
constexpr long numbers_in_block(looping<Numbers>) {
  return 12 * numbers_of_one_step;
}
using of_steps =
    graph<"of_steps", input<"x", features<3>, steps<23>>, node<"states", lstm<7>, "x">, output<"states">>;
template <class Plan>
constexpr int steps_at_a_time = engine::memory_of<Plan>.operations[maker_of<Plan>("states")].forward_block;
template <long Numbers>
using looped = inference<of_steps, batch<64>, on<looping<Numbers>>>::plan;
static_assert(looped<1>::template program_of<maker_of<looped<1>>("states")>::takes_loop);
static_assert(steps_at_a_time<looped<8 * numbers_of_one_step>> == 8, "23 steps in three pieces");
static_assert(steps_at_a_time<looped<1>> == 5, "not even one step: 23 steps of 64 rows in five blocks");

// --- the adjoint of a state is in memory for all steps only if something reads it after the loop: here that of h, which is multiplied to
// give the adjoint of x (if W had a gradient, that would read a copy) ---
struct h_first : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) { return next(tanh(W<"x">(x) + h), tanh(U<"c">(c))); }
};
struct h_second : equations::symbols {
  static constexpr auto step(auto x, auto c, auto h) { return next(tanh(U<"c">(c)), tanh(W<"x">(x) + h)); }
};
template <class Cell, int State>
constexpr bool keeps_adjoints = [] {
  using G = graph<"two states", input<"x", features<3>, steps<5>>,
                  node<"y", recurrent<Cell, nn::hidden<3>, frozen>, "x">, output<"y">>;
  using plan = typename differentiation<G, void, input_gradients>::plan;
  return plan::template program_of<maker_of<plan>("y")>::keeps_adjoints(State);
}();
static_assert(keeps_adjoints<h_first, 0> && !keeps_adjoints<h_first, 1>);
static_assert(!keeps_adjoints<h_second, 0> && keeps_adjoints<h_second, 1>);

// --- a cell of two states, each of which reaches the other one ---
struct delayed : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) {
    return next(tanh(W<"in">(x) + U<"back">(h) + c), 0.5 * h);
  }
};
constexpr int rows = 4, bound = 5, width = 3, hidden_width = 7;
using delaying = graph<"delaying", input<"x", features<width>, steps<bound>>,
                       node<"y", recurrent<delayed, nn::hidden<hidden_width>>, "x">, output<"y">>;
template <class... Options>
using of_delaying = differentiation<delaying, void, batch<rows>, Options...>;
template <class... Options>
using program_of_delaying = typename of_delaying<Options...>::plan::template program_of<
    maker_of<typename of_delaying<Options...>::plan>("y")>;
static_assert(program_of_delaying<>::adjoints_before(1) == 0 &&
              program_of_delaying<>::adjoints_before(2) == 1);
static_assert(program_of_delaying<input_gradients>::adjoints_before(0) == 0 &&
              program_of_delaying<input_gradients>::adjoints_before(2) == 2);

/// The sum of all steps, each with a weight of its own, and its gradient.
constexpr double share(auto r, auto t, auto j) {
  return 0.25 + 0.5 * double(r) - 0.125 * double(t) + 0.0625 * double(j * j);
}
template <class T, class... Options>
struct trial_of_delaying {
  of_delaying<scalar_type<T>, Options...> run;
  parameters<delaying, T> theta{zeros{}}, gradients{zeros{}};

  trial_of_delaying() {
    for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = T((k * 37 % 23 - 11) / 32.0);
    std::vector<T> x(rows * bound * width);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(double(k * 29 % 19) / 16 - 0.5);
    set_input<"x">(run, view<const T>(x.data(), {rows, bound, width}), std::vector<int>{bound, 0, 1, 3});
  }
  double value() {
    double all = 0;
    run.forward(theta);
    tenon::detail::for_each_element<3>(
        get<"y">(run), [&](T got, auto r, auto t, auto j) { all += share(r, t, j) * double(got); });
    return all;
  }
  void differentiate() {
    run.forward(theta);
    tenon::detail::for_each_element<3>(output_adjoint<"y">(run),
                                       [](T& dy, auto r, auto t, auto j) { dy = T(share(r, t, j)); });
    run.backward(theta, gradients);
  }
};

}  // namespace

TEST_CASE("the gradient of a cell of two states, each of which reaches the other one") {
  trial_of_delaying<double, on<backend::reference>> oracle;
  trial_of_delaying<double, on<backend::reference>, input_gradients> oracle_of_inputs;
  trial_of_delaying<float> processor;
  oracle.differentiate();
  oracle_of_inputs.differentiate();
  processor.differentiate();
  for (int k = 0; k < oracle.theta.block_size; ++k) {
    CAPTURE(k);
    const double before = std::as_const(oracle.theta).data()[k], by = 1e-5;
    oracle.theta.data()[k] = before + by;
    const double above = oracle.value();
    oracle.theta.data()[k] = before - by;
    const double below = oracle.value();
    oracle.theta.data()[k] = before;
    const double expected = (above - below) / (2 * by);
    CHECK(std::abs(std::as_const(oracle.gradients).data()[k] - expected) <= 1e-7);
    CHECK(std::abs(std::as_const(oracle_of_inputs.gradients).data()[k] - expected) <= 1e-7);
    CHECK(std::abs(double(std::as_const(processor.gradients).data()[k]) - expected) <= 1e-4);
  }
}

TEST_CASE("a small loop computes what it computes at a larger batch, to rounding") {
  const parameters<of_features<8>> theta(seed{3});
  inference<of_features<8>> alone;
  inference<of_features<8>, batch<2>> together;
  std::vector<float> x(2 * 5 * 8);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k % 13) / 8 - 0.75f;
  const auto both = together(theta, view<const float>(x.data(), {2, 5, 8}, {40, 8, 1}));
  const auto first = alone(theta, view<const float>(x.data(), {1, 5, 8}, {40, 8, 1}));
  for (int t = 0; t < 5; ++t)
    for (int n = 0; n < 8; ++n) CHECK(first(0, t, n) == doctest::Approx(both(0, t, n)).epsilon(1e-5));
}
