// Code that nvcc compiles for the CPU computes the same as the reference: training steps, then inference.
#include "support/machines.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

// Rows of less than a vector, and of whole vectors with some lanes of another.
using tagger =
    graph<"tagger", input<"tokens", token<10>, steps<6>>, node<"embedded", embedding<10, 5>, "tokens">,
          node<"states", lstm<19>, "embedded">, node<"logits", linear<3>, "states.final">, output<"logits">>;
using rows = std::vector<std::vector<int>>;

template <class M>
std::vector<double> losses_and_logits() {
  using T = typename M::scalar;
  std::vector<double> result;
  typename M::template parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"logits">, optimizers::adam, batch<5>, on<typename M::backend>,
          scalar_type<T>>
      train(theta, {.learning_rate = 0.05});
  for (int step = 0; step < 20; ++step) {
    set_input<"tokens">(train, rows{{3, 1, 4, 1, 5, 9}, {2, 6}, {}, {5, 3, 5}, {8}});
    set_input<"target">(train, std::vector{2, 1, 0, 2, 1});
    result.push_back(double(train.step()));
  }
  CHECK(result.back() < 0.5 * result.front());

  typename M::template inference<tagger> run;
  set_input<"tokens">(run, rows{{5, 3, 1}});
  run.run(theta);
  for (std::size_t k = 0; k < 3; ++k) result.push_back(double(get<"logits">(run)(0, k)));
  return result;
}

TEST_CASE("sessions that nvcc built agree with the reference") {
  const std::vector<double> expected = losses_and_logits<oracle>(), got = losses_and_logits<processor>();
  REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    INFO("number ", k);
    CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-4));
  }
}

}  // namespace tenon::test
