// Tables in typical uses: tied to an output layer, renormalised when looked up (both against PyTorch), filled and frozen.
#include "tenon/nn/embedding.hpp"

#include "engine/golden_case.hpp"
#include "support/laws.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/parameters/renormalize.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

using tied =
    graph<"tied", input<"tokens", token<7>, steps<3>>,
          node<"embedded", embedding<7, 5, padding_idx<2>>, "tokens">,
          node<"squashed", activation::tanh, "embedded">, node<"logits", linear<7, no_bias>, "squashed">,
          output<"logits">, tied<"embedded.weight", "logits.weight">>;

std::vector<std::vector<int>> rows_of(const golden::tensor& t) {
  const auto stored = shaped(t);
  std::vector<std::vector<int>> rows(stored.shape(0));
  tenon::detail::for_each_element<2>(stored,
                                     [&](auto v, auto r, auto) { rows[r].push_back(static_cast<int>(v)); });
  return rows;
}
TEST_CASE_TEMPLATE("a table tied to an output layer agrees with PyTorch, gradients of both added up", M,
                   oracle, processor) {
  const golden::file f = golden::read("embedding_tied");
  typename M::template parameters<tied> theta(zeros{}), gradients(zeros{});
  fill(get<"embedded.weight">(theta), f["param.weight"]);
  typename M::template differentiation<tied, void, batch<4>> run;
  set_input<"tokens">(run, rows_of(f["tokens"]));
  run.forward(theta);
  compare(get<"logits">(run), f["output"], 1e-6, "output");
  fill(output_adjoint<"logits">(run), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare(get<"embedded.weight">(gradients), f["grad.weight"], 1e-5, "weight");
  compare(get<"logits.weight">(gradients), f["grad.weight"], 1e-5, "the same under its other name");
  CHECK(parameters<tied>::count() == 35);
}

using by_frequency = graph<"by_frequency", input<"tokens", token<7>, steps<3>>,
                           node<"embedded", embedding<7, 5, padding_idx<2>, scale_grad_by_freq>, "tokens">,
                           output<"embedded">>;
TEST_CASE_TEMPLATE("a row's gradient divided by its token's frequency is PyTorch's", M, oracle, processor) {
  const golden::file f = golden::read("embedding_by_frequency");
  typename M::template parameters<by_frequency> theta(zeros{}), gradients(zeros{});
  fill(get<"embedded.weight">(theta), f["param.weight"]);
  typename M::template differentiation<by_frequency, void, batch<6>> run;  // two rows stay empty
  set_input<"tokens">(run, rows_of(f["tokens"]));
  run.forward(theta);
  compare(get<"embedded">(run), f["output"], 0, "output");
  fill(output_adjoint<"embedded">(run), f["grad_output.output"]);
  run.backward(theta, gradients);
  compare(get<"embedded.weight">(gradients), f["grad.weight"], 1e-6, "weight");
}
// If a table is only multiplied, its rows are not looked up, unless their gradients are scaled.
using multiplied =
    graph<"multiplied", input<"token", token<3>>, node<"e", embedding<3, 4, scale_grad_by_freq>, "token">,
          node<"y", linear<2>, "e">, output<"y">>;
TEST_CASE("tokens that repeat count once") {
  parameters<multiplied> theta(seed{1}), once(zeros{}), often(zeros{});
  differentiation<multiplied, losses::cross_entropy<"y">, batch<8>> run;
  set_input<"token">(run, std::vector<int>{1, 0});
  set_input<"target">(run, std::vector<int>{1, 0});
  run.forward(theta);
  run.backward(theta, once);
  set_input<"token">(run, std::vector<int>{1, 1, 1, 0, 0, 0});
  set_input<"target">(run, std::vector<int>{1, 1, 1, 0, 0, 0});
  run.forward(theta);
  run.backward(theta, often);
  for (int j = 0; j < 4; ++j)  // the mean over six rows is a third of that over two
    CHECK(get<"e.weight">(often)(1, j) == doctest::Approx(get<"e.weight">(once)(1, j) / 3));
}

using looked_up = graph<"looked_up", input<"token", token<9>>, node<"embedded", embedding<9, 4>, "token">,
                        node<"logits", linear<3>, "embedded">, output<"logits">>;
TEST_CASE("rows renormalised before each step, with two norms, are PyTorch's max_norm") {
  const golden::file f = golden::read("embedding_max_norm");
  const auto tokens = rows_of(f["tokens"]), targets = rows_of(f["targets"]);
  for (const std::string word : {"two", "one"}) {
    CAPTURE(word);
    parameters<looked_up> theta(zeros{});
    theta.for_each([&](std::string_view path, auto v) { fill(v, f[word + "." + std::string(path)]); });
    trainer<looked_up, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> learner(
        theta, {.learning_rate = 0.5});
    for (std::size_t step = 0; step < tokens.size(); ++step) {
      renormalize<"embedded.weight">(theta, tokens[step], word == "two" ? 1.2 : 2.0, word == "two" ? 2 : 1);
      set_input<"token">(learner, tokens[step]);
      set_input<"target">(learner, targets[step]);
      CHECK(learner.step() == doctest::Approx(f[word + ".losses"].values[step]).epsilon(1e-5));
    }
    std::as_const(theta).for_each([&](std::string_view path, auto v) {
      compare(v, f[word + ".after." + std::string(path)], 1e-6, path);
    });
    for (int j = 0; j < 4; ++j)  // never looked up, and so never scaled
      CHECK(get<"embedded.weight">(theta)(8, j) ==
            f[word + ".embedded.weight"].values[static_cast<std::size_t>(8 * 4 + j)]);
  }
}
TEST_CASE("all rows; padding; a block in which nothing changes is not opened") {
  parameters<looked_up> theta(seed{1});
  const auto table = get<"embedded.weight">(theta);
  for (int j = 0; j < 4; ++j) {
    table(0, j) = 3;
    table(1, j) = 0.1f;
  }
  renormalize<"embedded.weight">(theta, 2.0, std::numeric_limits<double>::infinity());
  CHECK(table(0, 0) == doctest::Approx(2));
  CHECK(table(1, 0) == 0.1f);
  const auto revision = theta.revision();
  renormalize<"embedded.weight">(theta, 2.0, std::numeric_limits<double>::infinity());
  renormalize<"embedded.weight">(theta, std::vector<int>{-1, 1, 1}, 0.5);
  CHECK(theta.revision() == revision);
}
std::string said(auto f) {
  try {
    f();
  } catch (const input_error& e) { return e.what(); }
  return "nothing";
}
TEST_CASE("what cannot be is refused, and nothing is changed") {
  parameters<looked_up> theta(seed{1});
  const auto revision = theta.revision();
  CHECK(said([&] {
          renormalize<"embedded.weight">(theta, std::vector<int>{0, 9}, 0.1);
        }) == "renormalize: token 9 is not a row of 'embedded.weight', which has 9");
  CHECK(said([&] {  // unsigned, and without a compiler warning
          renormalize<"embedded.weight">(theta, std::vector<std::size_t>{0, ~std::size_t{0}}, 0.1);
        }) == "renormalize: token 18446744073709551615 is not a row of 'embedded.weight', which has 9");
  CHECK(said([&] { renormalize<"embedded.weight">(theta, -1.0); }) ==
        "renormalize: max_norm is -1.000000; give a positive number");
  CHECK(said([&] { renormalize<"embedded.weight">(theta, 1.0, 0); }) ==
        "renormalize: norm_type is 0.000000; give a positive number, such as 2");
  CHECK(theta.revision() == revision);
}

}  // namespace tenon::test
