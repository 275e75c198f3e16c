// Ten steps of Adam on the index lookup model against PyTorch: losses, first gradients, last parameters.
#include "support/compare.hpp"
#include "support/machines.hpp"
#include "support/worse.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <algorithm>
#include <iterator>

namespace tenon::test {
using namespace nn;

using index_lookup = graph<"index_lookup", input<"tokens", token<10>, steps<10>>, input<"index", token<10>>,
                           node<"embedded", embedding<10, 128>, "tokens">,
                           node<"states", lstm<32, bidirectional, layers<2>>, "embedded">,
                           node<"query", chain<embedding<10, 128>, linear<64>>, "index">,
                           node<"context", attention<score::dot>, "query", "states">,
                           node<"logits", linear<10>, "context">, output<"logits">>;

// The order in which golden::fill numbers the parameters.
constexpr std::string_view names[]{"embedded.weight",
                                   "states.weight_ih_l0",
                                   "states.weight_hh_l0",
                                   "states.bias_ih_l0",
                                   "states.bias_hh_l0",
                                   "states.weight_ih_l0_reverse",
                                   "states.weight_hh_l0_reverse",
                                   "states.bias_ih_l0_reverse",
                                   "states.bias_hh_l0_reverse",
                                   "states.weight_ih_l1",
                                   "states.weight_hh_l1",
                                   "states.bias_ih_l1",
                                   "states.bias_hh_l1",
                                   "states.weight_ih_l1_reverse",
                                   "states.weight_hh_l1_reverse",
                                   "states.bias_ih_l1_reverse",
                                   "states.bias_hh_l1_reverse",
                                   "query.0.weight",
                                   "query.1.weight",
                                   "query.1.bias",
                                   "logits.weight",
                                   "logits.bias"};

// Calls f(name, j, values, how many) for each parameter.
template <class Parameters, class F>
void each_parameter(Parameters& theta, F f) {
  int seen = 0;
  theta.for_each([&](std::string_view path, auto v) {
    const auto found = std::find(std::begin(names), std::end(names), path);
    REQUIRE_MESSAGE(found != std::end(names), std::string(path));
    f(std::string(path), static_cast<std::size_t>(found - std::begin(names)), v.data(), v.size());
    ++seen;
  });
  CHECK(seen == static_cast<int>(std::size(names)));
}

// Entries agree within relative * the largest + absolute. Independent errors of this size move a sum of n entries
// by less than 4 sqrt(n) of it, and a sum of squares by less than 8 times the norm.
template <class Parameters>
void compare_summaries(const golden::file& f, const std::string& moment, const Parameters& theta,
                       double relative, double absolute) {
  each_parameter(theta, [&](const std::string& name, std::size_t, const auto* x, std::size_t n) {
    const golden::tensor &at = f[name + ".positions"], &entries = f[moment + name + ".entries"];
    double largest = 0, sum = 0, squares = 0;
    for (std::size_t k = 0; k < n; ++k) {
      largest = worse(largest, std::abs(double(x[k])));
      sum += double(x[k]);
      squares += double(x[k]) * double(x[k]);
    }
    const double tolerance = relative * largest + absolute;
    const double off = std::abs(sum - double(f[moment + name + ".sum"].values[0]));
    const double squares_off = std::abs(squares - double(f[moment + name + ".sum_squares"].values[0]));
    INFO(moment, name);
    for (std::size_t k = 0; k < 8; ++k) {
      INFO("position ", at.values[k]);
      const double got = double(x[static_cast<std::size_t>(at.values[k])]);
      CHECK(std::abs(got - double(entries.values[k])) <= tolerance);
    }
    CHECK(off <= 4 * std::sqrt(double(n)) * tolerance + 1e-6 * std::abs(sum));
    CHECK(squares_off <= 8 * std::sqrt(squares) * tolerance + 1e-6 * squares);
  });
}

TEST_CASE("the filling of the parameters is the generator's") {
  const golden::file f = golden::read("s1_adam");
  const std::vector<int> j = as_ints(f["fill.j"]), k = as_ints(f["fill.k"]);
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(golden::fill(std::size_t(j[i]), std::size_t(k[i])) == f["fill.value"].values[i]);
}

TEST_CASE_TEMPLATE("ten steps of Adam on the index lookup model agree with PyTorch", M, oracle, processor) {
  using T = typename M::scalar;
  const golden::file f = golden::read("s1_adam");
  typename M::template parameters<index_lookup> theta(zeros{});
  each_parameter(theta, [&](const std::string&, std::size_t j, T* x, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) x[k] = T(golden::fill(j, k));
  });
  using lookup_trainer = trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<8>,
                                 on<typename M::backend>, scalar_type<T>>;
  lookup_trainer train(theta);
  const std::vector<int> tokens = as_ints(f["tokens"]), index = as_ints(f["index"]);
  for (std::size_t step = 0; step < 10; ++step) {
    const int *digits = tokens.data() + step * 80, *positions = index.data() + step * 8;
    int answers[8];
    for (int r = 0; r < 8; ++r) answers[r] = digits[r * 10 + positions[r]];
    set_input<"tokens">(train, view<const int>(digits, {8, 10}, {10, 1}));
    set_input<"index">(train, view<const int>(positions, {8}, {1}));
    set_input<"target">(train, answers);
    CHECK(double(train.step()) == doctest::Approx(double(f["losses"].values[step])).epsilon(1e-6));
    if (step == 0) compare_summaries(f, "grad.", train.gradients(), 1e-4, 1e-10);
  }
  compare_summaries(f, "after.", std::as_const(theta), 0, 2e-6);
}

}  // namespace tenon::test
