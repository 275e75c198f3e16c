// A session allocates only when it is built: tested with inputs from every kind of source, runs, gradients,
// streaming steps.
#include "support/allocations.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

using lookup = graph<"lookup", input<"tokens", token<10>, steps<6>>, input<"index", token<10>>,
                     input<"x", features<5>, steps<6>>, node<"embedded", embedding<10, 5>, "tokens">,
                     node<"sum", add, "embedded", "x">,
                     node<"states", lstm<4, bidirectional, layers<2>, dropout<0.5>>, "sum">,
                     node<"query", chain<embedding<10, 3>, linear<8>>, "index">,
                     node<"context", attention<score::additive<5>>, "query", "states">,
                     node<"logits", linear<10>, "context">, output<"logits">>;
using live = graph<"live", input<"x", features<3>, steps<6>>, node<"h", gru<5>, "x">,
                   node<"y", linear<2>, "h">, output<"y">>;

std::vector<int> kept;

TEST_CASE("the counter counts") {
  CHECK(allocations_of([] { std::vector<int>(3).swap(kept); }) == 1);
  CHECK(allocations_of([] { engine::memory<float> m(10); }) == 1);
}

const std::vector<std::vector<int>> sequences{{1, 2, 3}, {}, {4, 5, 6, 7, 8, 9}};
const std::vector<int> index{1, 2, 3}, lengths{3, 0, 6}, targets{1, -1, 5};
const std::vector<float> numbers(3 * 6 * 5, 0.25f);
const view<const float> x(numbers.data(), {3, 6, 5}, {30, 5, 1}),
    x_time_first(numbers.data(), {6, 3, 5}, {15, 5, 1});

TEST_CASE("inference allocates nothing, not even for the first run or after new weights") {
  parameters<lookup> theta(seed{1});
  inference<lookup, batch<4>> run;
  double sum = 0;
  const auto once = [&] {
    set_input<"tokens">(run, sequences);
    set_input<"index">(run, index);
    set_input<"x">(run, x, lengths);
    run.run(theta);
    sum += double(get<"logits">(run)(2, 3));
    set_input<"x">(run, x_time_first, lengths, layout::time_first);
    run.run(theta);
    get<"logits.bias">(theta)(0) += 1;
    run.run(theta);
  };
  CHECK(allocations_of(once) == 0);
  CHECK(allocations_of(once) == 0);
  CHECK(sum != 0);
}
TEST_CASE("differentiation allocates nothing") {
  const parameters<lookup> theta(seed{1});
  parameters<lookup> gradients(zeros{});
  differentiation<lookup, losses::cross_entropy<"logits">, batch<4>, input_gradients> run;
  CHECK(allocations_of([&] {
          for (std::uint64_t step = 0; step < 3; ++step) {
            run.randomness({7}, step);
            set_input<"tokens">(run, sequences);
            set_input<"index">(run, index);
            set_input<"x">(run, x, lengths);
            set_input<"target">(run, targets);
            run.forward(theta);
            run.backward(theta, gradients);
          }
        }) == 0);
  CHECK(get<"logits.bias">(gradients)(1) != 0);
}
TEST_CASE("without an objective, adjoints given by hand allocate nothing") {
  const parameters<live, double> theta(seed{1});
  parameters<live, double> gradients(zeros{});
  differentiation<live, void, batch<2>, on<backend::reference>, scalar_type<double>> run;
  CHECK(allocations_of([&] {
          set_input<"x">(run, view<const float>(numbers.data(), {2, 6, 3}, {18, 3, 1}));
          run.forward(theta);
          output_adjoint<"y">(run)(0, 0, 0) += 1;
          run.backward(theta, gradients);
        }) == 0);
}
TEST_CASE("a streaming step allocates nothing") {
  const parameters<live> theta(seed{1});
  streaming<live, batch<2>> stream;
  const std::vector<float> frame(6, 0.5f);
  CHECK(allocations_of([&] {
          stream.reset();
          for (int t = 0; t < 3; ++t) stream.step(theta, frame);
          stream.step(theta, view<const float>(frame.data(), {2, 3}, {3, 1}));
        }) == 0);
}

}  // namespace tenon::test
