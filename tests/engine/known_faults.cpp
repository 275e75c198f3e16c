// Faults that users have found in the recurrent layers of other libraries: docs/explain/known-faults.md names them with their sources. Loops in double
// compute each layer rightly, and with the fault put in. The library must agree with the first, and the inputs must be such that the second differs:
// a test whose sequences have one step, whose sizes are equal, or whose batch has one row sees few of them.
#include "support/temporary_file.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using numbers = std::vector<double>;
using sequence = std::vector<numbers>;

constexpr int features_in = 3, rows = 3, bound = 4;
constexpr std::array<int, rows> lengths{4, 2, 3};

template <class Layer>
using over_time = graph<"over time", input<"x", features<features_in>, steps<bound>>, node<"y", Layer, "x">,
                        output<"y">, output<"y.h_n">>;

// The parameters under PyTorch's names, without the name of the node: "weight_ih_l0".
std::map<std::string, numbers> by_name(const auto& theta) {
  std::map<std::string, numbers> all;
  theta.for_each([&](std::string_view path, auto v) {
    all[std::string(path.substr(2))].assign(v.data(), v.data() + v.size());
  });
  return all;
}
numbers x_at(int row, int t) {
  numbers x;
  for (int j = 0; j < features_in; ++j) x.push_back(std::sin(1 + 7.0 * row + 3.0 * t + 1.3 * j));
  return x;
}
sequence x_of(int row, int steps) {
  sequence all;
  for (int t = 0; t < steps; ++t) all.push_back(x_at(row, t));
  return all;
}
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

enum class fault {
  none,
  reset_before_product,
  state_stays_zero,
  state_of_first_row,
  backwards_along_features,
  forward_weights_backwards,
  state_changes_while_read,
  through_the_padding,
  from_the_bound,
  second_bias_outside,
  gates_exchanged,
  one_start_for_both,
  starts_from_last_run
};

// Layers of PyTorch in loops. `suffix` is that of the parameters, such as "_l0_reverse".
struct in_loops {
  std::map<std::string, numbers> parameters;
  int hidden;
  fault wrong = fault::none;

  double product(const std::string& matrix, int row, const numbers& x) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += parameters.at(matrix)[static_cast<std::size_t>(row) * x.size() + j] * x[j];
    return sum;
  }
  double bias(const std::string& name, int row) const {
    return parameters.at(name)[static_cast<std::size_t>(row)];
  }

  numbers gru(const numbers& x, const numbers& h, const std::string& suffix) const {
    const std::string W = "weight_ih" + suffix, U = "weight_hh" + suffix, b = "bias_ih" + suffix,
                      c = "bias_hh" + suffix;
    numbers next(h.size()), r(h.size());
    const int R = wrong == fault::gates_exchanged ? hidden : 0,
              Z = wrong == fault::gates_exchanged ? 0 : hidden, N = 2 * hidden;
    const auto gate = [&](int row) {
      return sigmoid_of(product(W, row, x) + bias(b, row) + product(U, row, h) + bias(c, row));
    };
    for (int k = 0; k < hidden; ++k) r[static_cast<std::size_t>(k)] = gate(R + k);
    numbers reset = h;
    for (std::size_t k = 0; k < h.size(); ++k) reset[k] *= r[k];
    for (int k = 0; k < hidden; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double z = gate(Z + k);
      double of_state = r[at] * (product(U, N + k, h) + bias(c, N + k));
      if (wrong == fault::reset_before_product) of_state = product(U, N + k, reset) + bias(c, N + k);
      if (wrong == fault::second_bias_outside) of_state = r[at] * product(U, N + k, h) + bias(c, N + k);
      next[at] = (1 - z) * std::tanh(product(W, N + k, x) + bias(b, N + k) + of_state) + z * h[at];
    }
    return next;
  }
  void lstm(const numbers& x, numbers& h, numbers& c, const std::string& suffix) const {
    numbers before = h;
    for (int k = 0; k < hidden; ++k) {
      const auto gate = [&](int g) {
        const int row = g * hidden + k;
        const numbers& seen = wrong == fault::state_changes_while_read ? h : before;
        return product("weight_ih" + suffix, row, x) + bias("bias_ih" + suffix, row) +
               product("weight_hh" + suffix, row, seen) + bias("bias_hh" + suffix, row);
      };
      const auto at = static_cast<std::size_t>(k);
      c[at] = sigmoid_of(gate(1)) * c[at] + sigmoid_of(gate(0)) * std::tanh(gate(2));
      h[at] = sigmoid_of(gate(3)) * std::tanh(c[at]);
    }
  }
  // The states after each step, in the order of the steps.
  sequence gru_over(const sequence& x, const std::string& suffix, numbers h) const {
    sequence all;
    for (const numbers& x_t : x) {
      h = gru(x_t, wrong == fault::state_stays_zero ? numbers(h.size()) : h, suffix);
      all.push_back(h);
    }
    return all;
  }
  sequence lstm_over(const sequence& x, const std::string& suffix, numbers h, numbers c) const {
    sequence all;
    for (const numbers& x_t : x) {
      lstm(x_t, h, c, suffix);
      all.push_back(h);
    }
    return all;
  }
  sequence lstm_backwards(sequence x, const numbers& h, const numbers& c) const {
    if (wrong == fault::backwards_along_features)
      for (numbers& x_t : x) std::reverse(x_t.begin(), x_t.end());
    else std::reverse(x.begin(), x.end());
    sequence all = lstm_over(x, wrong == fault::forward_weights_backwards ? "_l0" : "_l0_reverse", h, c);
    if (wrong != fault::backwards_along_features) std::reverse(all.begin(), all.end());
    return all;
  }
};

template <class Layer>
struct compared {
  using network = over_time<Layer>;
  parameters<network> theta{seed{3}};
  inference<network, batch<rows>> session{theta};
  std::vector<float> given;
  in_loops loops{by_name(theta), 0};

  explicit compared(int hidden) {
    loops.hidden = hidden;
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < bound; ++t)
        for (const double x : x_at(r, t))
          given.push_back(static_cast<float>(t < lengths[static_cast<std::size_t>(r)] ? x : 100));
    run();
  }
  void run() {
    set_input<"x">(
        session,
        view<const float>(given.data(), {rows, bound, features_in}, {bound * features_in, features_in, 1}),
        lengths);
    session.run();
  }
  // The largest difference of the session from loops that compute row r as f(loops, r): features `first` and those after it.
  double difference(fault wrong, int first, auto f) {
    in_loops other = loops;
    other.wrong = wrong;
    double worst = 0;
    for (int r = 0; r < rows; ++r) {
      const sequence expected = f(other, r);
      for (int t = 0; t < lengths[static_cast<std::size_t>(r)]; ++t)
        for (int k = 0; k < loops.hidden; ++k)
          worst =
              std::max(worst, std::abs(double(get<"y">(session)(r, t, first + k)) -
                                       expected[static_cast<std::size_t>(t)][static_cast<std::size_t>(k)]));
    }
    return worst;
  }
  void check(fault wrong, int first, auto f) {
    CHECK(difference(fault::none, first, f) < 1e-6);
    CHECK(difference(wrong, first, f) > 1e-3);
  }
};
int steps_of(int r) { return lengths[static_cast<std::size_t>(r)]; }

TEST_CASE(
    "a GRU's candidate is reset after the product, and each step sees the state of the one before") {  // burn 2701
  compared<gru<5>> gates(5);
  const auto f = [](const in_loops& loops, int r) {
    return loops.gru_over(x_of(r, steps_of(r)), "_l0", numbers(5));
  };
  gates.check(fault::reset_before_product, 0, f);
  gates.check(fault::state_stays_zero, 0, f);
}
TEST_CASE("the reset gate is the first, the update gate the second") {  // keras 8720, keras 22115
  compared<gru<5>> gates(5);
  gates.check(fault::gates_exchanged, 0, [](const in_loops& loops, int r) {
    return loops.gru_over(x_of(r, steps_of(r)), "_l0", numbers(5));
  });
}
TEST_CASE("the reset gate multiplies a bias of its own") {  // tfjs 2442
  compared<gru<5>> gates(5);
  gates.check(fault::second_bias_outside, 0, [](const in_loops& loops, int r) {
    return loops.gru_over(x_of(r, steps_of(r)), "_l0", numbers(5));
  });
}
TEST_CASE("the reverse direction goes along time, with weights of its own") {  // onnx2c 95, candle 2351
  compared<lstm<2, bidirectional>> both(2);
  const auto f = [](const in_loops& loops, int r) {
    return loops.lstm_backwards(x_of(r, steps_of(r)), numbers(2), numbers(2));
  };
  both.check(fault::backwards_along_features, 2, f);
  both.check(fault::forward_weights_backwards, 2, f);
}
TEST_CASE("the reverse direction's parameters come back from a file") {  // candle 2351
  using network = over_time<lstm<2, bidirectional, layers<2>>>;
  const temporary_folder folder;
  const parameters<network> kept(seed{4});
  save(kept, folder.path + "/lstm.safetensors");
  parameters<network> loaded(seed{5});
  load(loaded, folder.path + "/lstm.safetensors");
  CHECK(by_name(loaded) == by_name(kept));
  const auto all = by_name(kept);
  for (const char* name :
       {"weight_ih_l0", "weight_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"})
    CHECK_MESSAGE(all.at(name) != all.at(std::string(name) + "_reverse"), name);
}
TEST_CASE("a state changes when all products have read it") {  // onnx-mlir 367
  compared<lstm<5>> cell(5);
  cell.check(fault::state_changes_while_read, 0, [](const in_loops& loops, int r) {
    return loops.lstm_over(x_of(r, steps_of(r)), "_l0", numbers(5), numbers(5));
  });
}
TEST_CASE("each row of a batch has a state of its own") {  // torch-mlir 4741, keras-onnx 123, burn 1656
  compared<lstm<5>> cell(5);
  cell.check(fault::state_of_first_row, 0, [](const in_loops& loops, int r) {
    return loops.lstm_over(x_of(loops.wrong == fault::state_of_first_row ? 0 : r, steps_of(r)), "_l0",
                           numbers(5), numbers(5));
  });
}
TEST_CASE(
    "a sequence in a batch ends where its length says, in both directions") {  // PyTorch 3662, PyTorch 62240
  compared<lstm<2, bidirectional>> both(2);
  const auto after_last_step = [&](fault wrong, int r) {  // of the forward direction
    const int steps = wrong == fault::through_the_padding ? bound : steps_of(r);
    sequence x = x_of(r, steps_of(r));
    while (static_cast<int>(x.size()) < steps) x.push_back(numbers(features_in, 100));
    return both.loops.lstm_over(x, "_l0", numbers(2), numbers(2)).back();
  };
  double right = 0, padded = 0;
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < 2; ++k) {
      const double got = double(get<"y.h_n">(both.session)(0, r, k));
      right = std::max(right, std::abs(got - after_last_step(fault::none, r)[static_cast<std::size_t>(k)]));
      padded = std::max(padded, std::abs(got - after_last_step(fault::through_the_padding,
                                                               r)[static_cast<std::size_t>(k)]));
    }
  CHECK(right < 1e-6);
  CHECK(padded > 1e-3);
  both.check(fault::from_the_bound, 2, [](const in_loops& loops, int r) {
    sequence x = x_of(r, steps_of(r));
    while (loops.wrong == fault::from_the_bound && x.size() < bound) x.push_back(numbers(features_in, 100));
    return loops.lstm_backwards(x, numbers(2), numbers(2));
  });
}
TEST_CASE("what is in the padding changes no result") {  // PyTorch 175830
  compared<lstm<2, bidirectional>> both(2);
  const auto all = [&] {
    numbers seen;
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < bound; ++t)
        for (int k = 0; k < 4; ++k) seen.push_back(double(get<"y">(both.session)(r, t, k)));
    return seen;
  };
  const numbers with_hundreds = all();
  for (float& x : both.given)
    if (x == 100) x = -7;
  both.run();
  CHECK(all() == with_hundreds);
}
TEST_CASE("a second run does not start from the states of the first") {  // cudnn.torch 348
  compared<lstm<5>> cell(5);
  cell.run();
  cell.check(fault::starts_from_last_run, 0, [](const in_loops& loops, int r) {
    numbers h(5), c(5);
    if (loops.wrong == fault::starts_from_last_run)
      for (const numbers& x : x_of(r, steps_of(r))) loops.lstm(x, h, c, "_l0");
    return loops.lstm_over(x_of(r, steps_of(r)), "_l0", h, c);
  });
}
TEST_CASE("each direction starts from its own initial states") {  // onnx-tensorflow 409
  using network = graph<"started", input<"x", features<features_in>, steps<bound>>,
                        input<"h", features<2>, layers<2>>, input<"c", features<2>, layers<2>>,
                        node<"y", lstm<2, bidirectional>, "x", "h", "c">, output<"y">>;
  const parameters<network> theta(seed{3});
  const std::array h{0.5f, -0.25f, -1.0f, 0.75f}, c{1.0f, 0.5f, -0.5f, 2.0f};  // forward, reverse
  inference<network> session(theta);
  std::vector<float> given;
  for (const numbers& x : x_of(0, bound)) given.insert(given.end(), x.begin(), x.end());
  set_input<"x">(session, view<const float>(given.data(), {1, bound, features_in},
                                            {bound * features_in, features_in, 1}));
  set_input<"h">(session, view<const float>(h.data(), {2, 1, 2}, {2, 2, 1}));
  set_input<"c">(session, view<const float>(c.data(), {2, 1, 2}, {2, 2, 1}));
  session.run();
  const in_loops loops{by_name(theta), 2};
  const auto worst = [&](const numbers& h_back, const numbers& c_back) {
    const sequence forward = loops.lstm_over(x_of(0, bound), "_l0", {0.5, -0.25}, {1, 0.5}),
                   back = loops.lstm_backwards(x_of(0, bound), h_back, c_back);
    double most = 0;
    for (std::size_t t = 0; t < bound; ++t)
      for (std::size_t k = 0; k < 2; ++k) {
        const auto step = static_cast<int>(t), unit = static_cast<int>(k);
        most = std::max({most, std::abs(double(get<"y">(session)(0, step, unit)) - forward[t][k]),
                         std::abs(double(get<"y">(session)(0, step, 2 + unit)) - back[t][k])});
      }
    return most;
  };
  CHECK(worst({-1, 0.75}, {-0.5, 2}) < 1e-6);
  CHECK(worst({0.5, -0.25}, {1, 0.5}) > 1e-3);
}

// Gradients: the sum of all outputs, by the session and by differences of the loops' sum.
template <class Layer>
struct gradients_of {
  using network = over_time<Layer>;
  parameters<network> theta{seed{3}}, found{zeros{}};
  differentiation<network, void, batch<rows>, input_gradients> session;

  gradients_of() {
    std::vector<float> given;
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < bound; ++t)
        for (const double x : x_at(r, t)) given.push_back(static_cast<float>(x));
    set_input<"x">(
        session,
        view<const float>(given.data(), {rows, bound, features_in}, {bound * features_in, features_in, 1}),
        lengths);
    session.forward(theta);
    auto dy = output_adjoint<"y">(session);
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < bound; ++t)
        for (int k = 0; k < static_cast<int>(dy.shape(2)); ++k) dy(r, t, k) = 1;
    session.backward(theta, found);
  }
  // The largest difference of the gradient of one parameter from the slopes of `sum`, and the largest slope.
  std::array<double, 2> differences(const std::string& name, int hidden, auto sum) {
    in_loops loops{by_name(theta), hidden};
    const numbers got = by_name(found).at(name);
    std::array<double, 2> worst{};
    for (std::size_t k = 0; k < got.size(); ++k) {
      double& x = loops.parameters.at(name)[k];
      const double kept = x, step = 1e-6;
      x = kept + step;
      const double above = sum(loops);
      x = kept - step;
      const double below = sum(loops);
      x = kept;
      const double slope = (above - below) / (2 * step);
      worst = {std::max(worst[0], std::abs(got[k] - slope)), std::max(worst[1], std::abs(slope))};
    }
    return worst;
  }
};
double total(const sequence& all) {
  double sum = 0;
  for (const numbers& one : all)
    for (const double x : one) sum += x;
  return sum;
}

TEST_CASE("gradients of biases are neither too large nor zero, in each layer") {  // MXNet 17086, MXNet 17818
  gradients_of<lstm<5, layers<2>>> two;
  const auto sum = [](const in_loops& loops) {
    double all = 0;
    for (int r = 0; r < rows; ++r)
      all += total(loops.lstm_over(loops.lstm_over(x_of(r, steps_of(r)), "_l0", numbers(5), numbers(5)),
                                   "_l1", numbers(5), numbers(5)));
    return all;
  };
  for (const char* name : {"bias_ih_l0", "bias_hh_l0", "bias_ih_l1", "bias_hh_l1"}) {
    const auto [difference, largest] = two.differences(name, 5, sum);
    CAPTURE(name);
    CHECK(difference < 1e-4);
    CHECK(largest > 0.1);
  }
}
TEST_CASE("gradients of the layers in the middle") {  // MXNet 17898: a GRU of three layers
  gradients_of<gru<4, layers<3>>> three;
  const auto sum = [](const in_loops& loops) {
    double all = 0;
    for (int r = 0; r < rows; ++r)
      all += total(loops.gru_over(
          loops.gru_over(loops.gru_over(x_of(r, steps_of(r)), "_l0", numbers(4)), "_l1", numbers(4)), "_l2",
          numbers(4)));
    return all;
  };
  for (const char* name : {"weight_ih_l0", "weight_ih_l1", "weight_hh_l1", "weight_ih_l2"}) {
    const auto [difference, largest] = three.differences(name, 4, sum);
    CAPTURE(name);
    CHECK(difference < 1e-4);
    CHECK(largest > 0.01);
  }
}
TEST_CASE(
    "the gradient of the input, through layers in both directions") {  // MXNet 17898: the gradient of an output was overwritten
  gradients_of<lstm<2, bidirectional, layers<3>>> three;
  const in_loops loops{by_name(three.theta), 2};
  const auto sum = [&](sequence x) {
    for (const char* layer : {"_l0", "_l1", "_l2"}) {
      const sequence forward = loops.lstm_over(x, layer, numbers(2), numbers(2));
      std::reverse(x.begin(), x.end());
      sequence back = loops.lstm_over(x, std::string(layer) + "_reverse", numbers(2), numbers(2));
      std::reverse(back.begin(), back.end());
      x = forward;
      for (std::size_t t = 0; t < x.size(); ++t) x[t].insert(x[t].end(), back[t].begin(), back[t].end());
    }
    return total(x);
  };
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < bound; ++t)
      for (int j = 0; j < features_in; ++j) {
        const double got = double(input_gradient<"x">(three.session)(r, t, j));
        if (t >= steps_of(r)) {
          CHECK(got == 0);
          continue;
        }
        sequence x = x_of(r, steps_of(r));
        double& at = x[static_cast<std::size_t>(t)][static_cast<std::size_t>(j)];
        at += 1e-6;
        const double above = sum(x);
        at -= 2e-6;
        CHECK(std::abs(got - (above - sum(x)) / 2e-6) < 1e-4);
      }
}
TEST_CASE(
    "the gradient of the first steps does not depend on how many follow") {  // MXNet 21143, where only the first output counts
  const auto first_gradient = [](int steps) {
    using network = over_time<rnn<5>>;
    const parameters<network> theta(seed{3});
    parameters<network> ignored(zeros{});
    differentiation<network, void, batch<1>, input_gradients> session;
    std::vector<float> given;
    for (const numbers& x : x_of(0, bound)) given.insert(given.end(), x.begin(), x.end());
    set_input<"x">(
        session,
        view<const float>(given.data(), {1, bound, features_in}, {bound * features_in, features_in, 1}),
        std::array{steps});
    session.forward(theta);
    for (int k = 0; k < 5; ++k) output_adjoint<"y">(session)(0, 0, k) = 1;
    session.backward(theta, ignored);
    return std::array{double(input_gradient<"x">(session)(0, 0, 0)),
                      double(input_gradient<"x">(session)(0, 0, 1)),
                      double(input_gradient<"x">(session)(0, 0, 2))};
  };
  const auto alone = first_gradient(1);
  for (int steps = 2; steps <= bound; ++steps)
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(first_gradient(steps)[j] - alone[j]) < 1e-6);
}

}  // namespace tenon::test
