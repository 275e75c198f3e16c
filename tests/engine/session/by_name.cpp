// Free functions that take a name, in code for one type and in generic code; calls of sessions, bound and not.
#include "tenon/engine/session/by_name.hpp"

#include "support/compare.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace tenon::test {
using namespace nn;

using reader = graph<"reader", input<"x", features<3>, steps<4>>, input<"h0", features<5>>,
                     node<"h", gru<5>, "x", "h0">, node<"y", linear<2>, "h">, output<"y">, output<"h.h_n">>;
using mapped = graph<"mapped", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
const std::vector<double> numbers{1, -2, 3, 0.5, 0.25, -1, 2, 2, -2, 0.125, 1, 1};
const view<const double> x(numbers.data(), {1, 4, 3}, {12, 3, 1});
const std::vector<float> h0{0.1f, 0.2f, -0.3f, 0.4f, 0.5f};

struct equations_sum {
  static constexpr auto at(auto a, auto b) { return a + b; }
};

// The type of the session is a parameter: no word `template`.
void give(auto& session) {
  set_input<"x">(session, x);
  set_input<"h0">(session, h0);
}
std::vector<float> all_of(const view<const float>& v) { return {v.begin(), v.end()}; }

TEST_CASE("a call, a bound call and inputs by name are one") {
  const parameters<reader> theta(seed{1});
  inference<reader> bound(theta), free, named;
  const auto [y, last] = bound(x, h0);
  const auto [z, end] = free(theta, x, h0);
  give(named);
  named.run(theta);
  CHECK(all_of(y) == all_of(z));
  CHECK(all_of(y) == all_of(get<"y">(named)));
  CHECK(all_of(last) == all_of(end));
  CHECK(all_of(last) == all_of(get<"h.h_n">(named)));
  set_input<"h0">(bound, std::array<float, 5>{});  // the other input stays
  bound.run();
  CHECK(all_of(get<"y">(bound)) != all_of(z));
}
TEST_CASE("a bound session sees what is learned") {
  parameters<mapped> theta(seed{1});
  inference<mapped> model(theta);
  const std::vector<float> one{1, 2, 3};
  const float before = model(one)(0, 0);
  get<"y.bias">(theta)(0) += 1;
  CHECK(model(one)(0, 0) == doctest::Approx(before + 1));
}
TEST_CASE("without parameters a call is an error that says so") {
  inference<mapped> model;
  const std::vector<float> one{1, 2, 3};
  const auto refused = [](const std::string& title, const std::string& call) {
    return "the session of graph '" + title + "' has no parameters; write " + call +
           ", or make the session with them, model(theta)";
  };
  CHECK_THROWS_WITH_AS(model(one), refused("mapped", "model(theta, ..)").c_str(), input_error);
  CHECK_THROWS_WITH_AS(model.run(), refused("mapped", "run(theta)").c_str(), input_error);
  streaming<reader> live;
  set_input<"h0">(live, h0);
  CHECK_THROWS_WITH_AS(live.step(h0), refused("reader", "step(theta, ..)").c_str(), input_error);
}
TEST_CASE("a stream keeps what has no steps, and notices when it is set anew") {
  const parameters<reader> theta(seed{1});
  inference<reader> whole(theta);
  const auto [expected, end] = whole(x, h0);
  streaming<reader> live(theta);
  for (int pass = 0; pass < 2; ++pass) {
    set_input<"h0">(live, h0);
    for (int t = 0; t < 4; ++t) {
      const auto [y, last] =
          live.step(std::vector<float>(numbers.begin() + 3 * t, numbers.begin() + 3 * t + 3));
      for (int j = 0; j < 2; ++j) CHECK(y(0, j) == doctest::Approx(expected(0, t, j)).epsilon(1e-6));
    }
    live.reset();
  }
  CHECK_THROWS_WITH_AS(set_input<"h0">(live, std::vector<float>(4)),
                       "input 'h0': expected a multiple of 5 numbers, got 4", input_error);
}
TEST_CASE("a trainer is given inputs and read as its session is") {
  parameters<mapped> theta(seed{1});
  trainer<mapped, losses::mse<"y">, optimizers::sgd, batch<2>> trainer(theta, {.learning_rate = 0});
  const std::vector<float> rows{1, 2, 3, 4, 5, 6};
  set_input<"x">(trainer, rows);
  set_input<"target">(trainer, std::vector<float>(4));
  trainer.step();
  CHECK(trainer.rows() == 2);
  CHECK(trainer.loss() == trainer.session().loss());
  CHECK(get<"y">(trainer).data() == get<"y">(trainer.session()).data());
  inference<mapped, batch<2>> model(theta);
  CHECK(all_of(model(rows)) == all_of(get<"y">(trainer)));
}
TEST_CASE("what a class lacks is false in a requires") {
  const auto check = [](auto& model, auto& live, auto& trainer, auto& both) {
    CHECK(!requires { model.step(); });
    CHECK(!requires { live.run(); });
    CHECK(!requires { live(); });
    CHECK(!requires { trainer.run(); });
    CHECK(!requires { trainer.forward(); });
    CHECK(!requires { trainer.backward(); });
    CHECK(!requires { both.run(); });
    CHECK(requires { model.run(); });
    CHECK(requires { trainer.step(); });
  };
  parameters<mapped> theta;
  inference<mapped> model;
  streaming<reader> live;
  trainer<mapped, losses::mse<"y">, optimizers::sgd> trainer(theta);
  differentiation<mapped> both;
  check(model, live, trainer, both);
}
TEST_CASE("a call that a session refuses is false in a requires") {
  const parameters<reader> theta;
  const parameters<mapped> of_another;
  parameters<mapped> learned, gradients;
  inference<reader> model(theta);
  streaming<reader> live(theta);
  trainer<mapped, losses::mse<"y">, optimizers::sgd> trainer(learned);
  differentiation<mapped> both;
  differentiation<mapped, losses::mse<"y">> with_loss;
  // The types are parameters: elsewhere a wrong call is an error at once.
  const auto check = [&](const auto& one, const auto& words, auto& m, auto& l, auto& t, auto& d, auto& e) {
    CHECK(requires { m(x, one); });
    CHECK(requires { m(theta, x, one); });
    CHECK(!requires { m(); });
    CHECK(!requires { m(x); });
    CHECK(!requires { m(theta, x); });
    CHECK(!requires { m(of_another, x, one); });
    CHECK(!requires { m(x, words); });
    CHECK(requires { m.run(theta); });
    CHECK(!requires { m.run(of_another); });
    CHECK(!requires { m.run(theta, x); });

    CHECK(requires { l.step(one); });
    CHECK(requires { l.step(theta, one); });
    CHECK(!requires { l.step(); });
    CHECK(!requires { l.step(theta); });
    CHECK(!requires { l.step(one, one); });
    CHECK(!requires { l.step(theta, one, one); });
    CHECK(!requires { l.step(of_another, one); });
    CHECK(!requires { l.step(words); });

    CHECK(!requires { t.step(one); });
    CHECK(requires { d.forward(learned); });
    CHECK(!requires { d.forward(); });
    CHECK(!requires { d.forward(theta); });
    CHECK(requires { d.backward(learned, gradients); });
    CHECK(requires { d.backward(learned, gradients, x); });
    CHECK(!requires { d.backward(learned); });
    CHECK(!requires { d.backward(learned, of_another); });
    CHECK(!requires { d.backward(learned, gradients, x, x); });
    CHECK(!requires { e.backward(learned, gradients, x); });

    CHECK(requires { set_input<"h0">(m, one); });
    CHECK(requires { set_input<"h0">(m, zeros{}); });
    CHECK(!requires { set_input<"h1">(m, one); });
    CHECK(!requires { set_input<"h1">(m, zeros{}); });
    CHECK(!requires { set_input<"h0">(m, words); });
    CHECK(!requires { set_input<"h0">(m); });
    CHECK(!requires { set_input<"h0">(one, one); });
    CHECK(requires { get<"y">(m); });
    CHECK(!requires { get<"h">(m); });
    CHECK(!requires { get<"y">(m, "y"); });
    CHECK(requires { get_input<"x">(m); });
    CHECK(!requires { get_input<"y">(m); });
    CHECK(!requires { input_gradient<"x">(d); });
    CHECK(requires { output_adjoint<"y">(d); });
    CHECK(!requires { output_adjoint<"y">(e); });
    CHECK(requires { get_state<"h">(l); });
    CHECK(!requires { get_state<"y">(l); });
    CHECK(!requires { get_state<"h">(m); });
    CHECK(requires { set_state<"h">(l, one); });
    CHECK(requires { set_state<"h">(l, zeros{}); });
    CHECK(!requires { set_state<"h">(l, words); });
    CHECK(!requires { set_state<"y">(l, one); });
  };
  check(h0, std::vector<std::string>{"h0"}, model, live, trainer, both, with_loss);
  const auto check_parameters = [](auto& block) {
    CHECK(requires { get<"y.bias">(block); });
    CHECK(!requires { get<"y.biased">(block); });
    CHECK(!requires { get(block, "y.bias"); });
  };
  check_parameters(learned);
  check_parameters(of_another);
}
using tokens_of =
    graph<"tokens", input<"t", token<9>, steps<4>>, input<"class", token<3>>, input<"x", features<2>>,
          node<"e", embedding<9, 2>, "t">, node<"c", embedding<3, 2>, "class">,
          node<"ec", equations_sum, "e", "c">, node<"y", equations_sum, "ec", "x">, output<"y">>;
TEST_CASE("inputs are read as they were set last") {
  const parameters<tokens_of> theta;
  inference<tokens_of, batch<3>> model(theta);
  model(std::vector<std::vector<int>>{{1, 2, 3}, {8}}, std::vector{2, 0}, std::vector<float>{1, 2, 3, 4});
  const view<const int> t = get_input<"t">(model), of_row = get_input<"class">(model);
  CHECK(t.dimension() == 2);
  CHECK(std::vector<int>(t.begin(), t.end()) == std::vector<int>{1, 2, 3, -1, 8, -1, -1, -1});
  CHECK(std::vector<int>(of_row.begin(), of_row.end()) == std::vector<int>{2, 0});
  CHECK(all_of(get_input<"x">(model)) == std::vector<float>{1, 2, 3, 4});
}
TEST_CASE("the shards of a trainer are read one by one") {
  parameters<mapped> theta(seed{1});
  trainer<mapped, losses::mse<"y">, optimizers::sgd, batch<4>, shards<2>> trainer(theta,
                                                                                  {.learning_rate = 0});
  const std::vector<float> rows{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1};
  set_input<"x">(trainer, rows);
  set_input<"target">(trainer, std::vector<float>(8));
  trainer.step();
  inference<mapped, batch<4>> model(theta);
  const auto expected = model(rows);
  for (int k = 0; k < 2; ++k)
    for (int r = 0; r < 2; ++r)
      for (int j = 0; j < 2; ++j) CHECK(get<"y">(trainer.shard(k))(r, j) == expected(2 * k + r, j));
}
TEST_CASE("parameters start as the layers say, the same for everyone; zeros are asked for") {
  const parameters<mapped> one, other, seeded(seed{0}), nothing(zeros{});
  CHECK(std::vector<float>(one.data(), one.data() + one.block_size) ==
        std::vector<float>(other.data(), other.data() + other.block_size));
  CHECK(get<"y.weight">(one)(1, 2) == get<"y.weight">(seeded)(1, 2));
  CHECK(get<"y.weight">(one)(1, 2) != 0);
  for (float w : get<"y.weight">(nothing)) CHECK(w == 0);
}

}  // namespace tenon::test
