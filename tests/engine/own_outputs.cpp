// A language model that learns from its own outputs: in place of the text's letter, a step reads the likeliest letter of the step before, always or
// by chance. Loss and gradients against a loop in double and its central differences; windows of a text carry the last letter, too.
#include "support/machines.hpp"
#include "support/sample.hpp"
#include "tenon/data/carry.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/decode/choose.hpp"
#include "tenon/engine/session/streaming.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/train/loop/fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int letters = 5, width = 3, state = 4, bound = 6;

// A letter of the text is read with probability Forced, otherwise the last one that the model would have written.
template <double Forced>
struct reading_itself : equations::symbols {
  static constexpr auto step(auto letter, auto h, auto last) {
    const auto read = select(bernoulli<Forced>(letter), letter, last);
    const auto next_h = tanh(W<"h">(matrix<"embedding", width>(one_hot<letters>(read))) + U<"h">(h) + b<"h">);
    const auto scores = matrix<"scores", letters>(next_h);
    return next(next_h, argmax(scores)).emitting(scores);
  }
};
template <double Forced>
using model = graph<"model", input<"text", token<letters>, steps<bound>>, input<"h0", features<state>>,
                    input<"last", features<1>>,
                    node<"states", recurrent<reading_itself<Forced>, hidden<state, 1>>, "text", "h0", "last">,
                    output<"states">, output<"states.h_n">, output<"states.c_n">>;
using loss = losses::cross_entropy<"states">;

const std::vector<std::vector<int>> text{{1, 2, 3, 4, 0, 1}, {4, 4}, {3}},
    target{{2, 3, 4, 0, 1, 2}, {4, 1}, {0}};

// The mean cross-entropy of all steps.
struct loop {
  std::vector<double> W, U, b, embedding, scores;

  explicit loop(const auto& theta) {
    const auto all = [](const auto& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
    W = all(get<"states.W_h_l0">(theta));
    U = all(get<"states.U_h_l0">(theta));
    b = all(get<"states.b_h_l0">(theta));
    embedding = all(get<"states.embedding_l0">(theta));
    scores = all(get<"states.scores_l0">(theta));
  }
  double operator()(bool reads_text) const {
    double sum = 0;
    int steps = 0;
    for (std::size_t r = 0; r < text.size(); ++r) {
      std::vector<double> h(state);
      std::size_t last = 0;
      for (std::size_t t = 0; t < text[r].size(); ++t) {
        const std::size_t read = reads_text ? static_cast<std::size_t>(text[r][t]) : last;
        std::vector<double> next(b), y(letters);
        for (std::size_t i = 0; i < state; ++i) {
          for (std::size_t j = 0; j < width; ++j) next[i] += W[i * width + j] * embedding[j * letters + read];
          for (std::size_t j = 0; j < state; ++j) next[i] += U[i * state + j] * h[j];
          next[i] = std::tanh(next[i]);
        }
        h = next;
        double all = 0;
        for (std::size_t k = 0; k < letters; ++k) {
          for (std::size_t j = 0; j < state; ++j) y[k] += scores[k * state + j] * h[j];
          all += std::exp(y[k]);
          if (y[k] > y[last] || k == 0) last = k;
        }
        sum += std::log(all) - y[static_cast<std::size_t>(target[r][t])];
        ++steps;
      }
    }
    return sum / steps;
  }
};

template <class M, double Forced>
void check_against_loop() {
  using T = typename M::scalar;
  using G = model<Forced>;
  constexpr bool is_exact = std::is_same_v<T, double>, reads_text = Forced == 1;
  typename M::template parameters<G> theta(zeros{}), gradients(zeros{});
  random_numbers random(3);
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<T>(random());
  typename M::template differentiation<G, loss, batch<3>> run;
  set_input<"text">(run, text);
  set_input<"target">(run, target);
  set_input<"h0">(run, zeros{});
  set_input<"last">(run, zeros{});
  const double got = double(run.forward(theta));
  run.backward(theta, gradients);
  loop right(std::as_const(theta));
  CHECK(std::abs(got - right(reads_text)) < (is_exact ? 1e-12 : 1e-6));
  const auto check = [&](std::vector<double>& numbers, const auto& gradient) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double kept = numbers[k], step = 1e-6;
      numbers[k] = kept + step;
      const double above = right(reads_text);
      numbers[k] = kept - step;
      const double below = right(reads_text);
      numbers[k] = kept;
      CHECK(std::abs(double(gradient.data()[k]) - (above - below) / (2 * step)) < (is_exact ? 1e-8 : 1e-6));
    }
  };
  const auto& slopes = std::as_const(gradients);
  check(right.W, get<"states.W_h_l0">(slopes));
  check(right.U, get<"states.U_h_l0">(slopes));
  check(right.b, get<"states.b_h_l0">(slopes));
  check(right.embedding, get<"states.embedding_l0">(slopes));
  check(right.scores, get<"states.scores_l0">(slopes));
}

}  // namespace

TEST_CASE_TEMPLATE("it reads only what it has written", M, oracle, processor) {
  check_against_loop<M, 0.0>();
}
TEST_CASE_TEMPLATE("it reads only the text", M, oracle, processor) { check_against_loop<M, 1.0>(); }

// A text of which each letter follows from the one before: whoever writes it without a mistake may read the own letters.
TEST_CASE("windows of a text carry the last letter, and a stream writes") {
  std::vector<int> counted;
  for (int t = 0; t < 401; ++t) counted.push_back(t % letters);
  using G = model<0.5>;
  parameters<G> theta(seed{1});
  trainer<G, loss, optimizers::adam, batch<2>> learner(theta, {.learning_rate = 0.02}, seed{2});
  const auto windows = contiguous<"text", carry<"states.h_n", "h0">, carry<"states.c_n", "last">>(counted);
  const auto history = fit(learner, windows, {.epochs = 30, .log = nullptr});
  CHECK(history.last().loss < 0.1);

  streaming<G> live(theta);  // outside training bernoulli is 0: the letter that is given does not matter
  set_input<"h0">(live, zeros{});
  set_input<"last">(live, zeros{});
  int right = 0, written = -1;
  for (int t = 0; t < 40; ++t) {
    live.step(std::vector{0});
    const int letter = argmax(get<"states">(live), 0);
    right += written < 0 || letter == (written + 1) % letters ? 1 : 0;
    written = letter;
  }
  CHECK(right == 40);
}

}  // namespace tenon::test
