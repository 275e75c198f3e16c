// How much of a gradient reaches earlier steps (Hochreiter 1991; Bengio, Simard and Frasconi 1994): the norm of d h_T / d x_{T-t}, where h_T is the
// last state and x_{T-t} the input t steps earlier, of cells as they are before they learn.
#include "search.hpp"

#include <tenon/train/reports/chart.hpp>

#include <cmath>
#include <cstdio>

using namespace tenon;
using namespace tenon::nn;

namespace {

constexpr int inputs = 8, states = 32, steps_back = 100, rows = 64;

template <class Cell, class... Options>
using observed = graph<"observed", input<"x", features<inputs>, steps<steps_back>>, node<"states", recurrent<Cell, hidden<states>, Options...>, "x">, output<"states.final">>;

// The logarithm of the norm for each t, to the base 10. Each of 64 rows has random inputs, and asks for the gradient of its last state in a random
// direction v: the gradient by the input is then v J, and the root of the mean of its squares over directions of length 1 is |J| / sqrt(states),
// where |J| is the Frobenius norm of J = d h_T / d x_{T-t}.
template <class Graph>
std::vector<double> norms() {
  const parameters<Graph> theta(seed{1});
  parameters<Graph> gradients(zeros{});
  differentiation<Graph, void, batch<rows>, input_gradients> session;
  backend::random_stream random(2, 0);
  std::vector<float> x(std::size_t(rows * steps_back * inputs));
  for (float& number : x) number = static_cast<float>(random.normal());
  set_input<"x">(session, view<const float>(x.data(), {rows, steps_back, inputs}, {steps_back * inputs, inputs, 1}));
  session.forward(theta);
  const auto direction = output_adjoint<"states.final">(session);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t k = 0; k < states; ++k) direction(r, k) = static_cast<float>(random.normal(0, 1 / std::sqrt(double(states))));
  session.backward(theta, gradients);
  const auto found = input_gradient<"x">(session);
  std::vector<double> all;
  for (std::size_t t = 0; t < steps_back; ++t) {
    double squares = 0;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < inputs; ++k) squares += double(found(r, steps_back - 1 - t, k)) * double(found(r, steps_back - 1 - t, k));
    all.push_back(std::log10(std::sqrt(squares / rows)));
  }
  return all;
}

}  // namespace

std::string architecture_search::gradients_svg() {
  struct curve {
    const char *name, *color;
    std::vector<double> y;
  };
  const curve curves[]{{"tanh", "#c33", norms<observed<cells::rnn_tanh>>()},
                       {"LSTM", "#36c", norms<observed<cells::lstm>>()},
                       {"LSTM-b, forget bias 1", "#083", norms<observed<cells::lstm_b>>()},
                       {"LSTM, forget bias 4", "#0aa", norms<observed<cells::lstm, forget_bias<4>>>()},
                       {"GRU", "#a3a", norms<observed<cells::gru>>()}};
  std::vector<double> x;
  for (int t = 0; t < steps_back; ++t) x.push_back(t);
  detail::svg drawing(detail::chart::width, 420, detail::chart::font_size);
  drawing.title(16, 20, "How much of a gradient reaches earlier steps");
  detail::chart drawn(drawing, 30, 390, {.below = "t, the steps between the input and the last state", .beside = "log10 of |d h_T / d x_{T-t}|",
                                         .last = steps_back - 1, .lowest = -25, .highest = 0});
  for (const curve& c : curves) {
    drawn.line(c.name, c.color, x, c.y);
    std::printf("%-22s %6.2f at 0 steps, %6.2f at 20, %6.2f at 50, %6.2f at 99\n", c.name, c.y[0], c.y[20], c.y[50], c.y[99]);
  }
  return drawing.written();
}
