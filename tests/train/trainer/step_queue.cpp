// The parts of a step on a device, whose memory is fenced here: a linear regression against its formulas in double, batch by batch and
// for several batches; and the key under which each part is captured.
#include "tenon/train/trainer/step_queue.hpp"

#include "backend/thrust/fenced.hpp"
#include "tenon/engine/session/differentiation.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/train/optimizers/optimizer.hpp"
#include "tenon/train/trainer/gradients.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

using line = graph<"line", input<"x", features<2>>, node<"y", linear<1>, "x">, output<"y">>;
using session_type = differentiation<line, losses::mse<"y">, batch<3>, on<fenced>>;
using plan = session_type::plan;
using touched = engine::touched_by<line, plan>;
using optimizer_type = optimizer<optimizers::sgd, line, float, fenced, touched>;
using gradients_type = engine::update_gradients<line, plan, touched, true>;
using parts = engine::step_parts<session_type, optimizer_type, gradients_type, parameters<line>>;

constexpr double rate = 0.1;

// Does its work at once, and records the key under which it would be captured.
struct recorded {
  std::vector<engine::run_shape<plan>> shapes;
  template <class Run>
  void operator()(session_type&, engine::run_shape<plan> shape, Run run) {
    shapes.push_back(shape);
    run();
  }
};

// y = w0 x0 + w1 x1 + b and the mean of (y - t)^2 over all rows of several batches; the gradients are of that mean.
struct by_formula {
  double w[3] = {0.5, -0.25, 0.125};
  struct row {
    float x[2], t;
  };
  std::vector<row> rows;

  double loss(std::size_t from) const {
    double sum = 0;
    for (std::size_t k = from; k < rows.size(); ++k) sum += error(rows[k]) * error(rows[k]);
    return sum / double(rows.size() - from);
  }
  // Returns the norm of the gradient before the limits.
  double update(double max_norm, double max_value) {
    double g[3] = {};
    for (const row& r : rows) {
      const double slope = 2 * error(r) / double(rows.size());
      g[0] += slope * double(r.x[0]);
      g[1] += slope * double(r.x[1]);
      g[2] += slope;
    }
    if (max_value > 0)
      for (double& one : g) one = std::fmin(std::fmax(one, -max_value), max_value);
    const double norm = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (int k = 0; k < 3; ++k) w[k] -= rate * g[k] * (max_norm > 0 && norm > max_norm ? max_norm / norm : 1);
    rows.clear();
    return norm;
  }

 private:
  double error(const row& r) const {
    return w[0] * double(r.x[0]) + w[1] * double(r.x[1]) + w[2] - double(r.t);
  }
};

template <class Captured = engine::nothing_captured>
struct on_device {
  parameters<line> theta{zeros{}};
  session_type session;
  optimizer_type rule{optimizers::sgd{.learning_rate = float(rate)}};
  gradients_type gradients;
  engine::step_queue<fenced, Captured> queue;
  by_formula expected;
  double max_norm = 0, max_value = 0;

  on_device() {
    get<"y.weight">(theta)(0, 0) = 0.5f;
    get<"y.weight">(theta)(0, 1) = -0.25f;
    get<"y.bias">(theta)(0) = 0.125f;
  }
  parts all() { return {session, rule, gradients, theta, max_norm, max_value}; }
  void give(int n, int rows) {
    std::vector<std::vector<float>> x, t;
    for (int r = 0; r < rows; ++r) {
      const by_formula::row one{{float(n % 5) - float(r), float(r * r) / 2}, float(n + r) / 4};
      expected.rows.push_back(one);
      x.push_back({one.x[0], one.x[1]});
      t.push_back({one.t});
    }
    set_input<"x">(session, x);
    set_input<"target">(session, t);
  }
  void check_weights() {
    const auto weight = get<"y.weight">(theta);
    CHECK(weight(0, 0) == doctest::Approx(expected.w[0]).epsilon(1e-5));
    CHECK(weight(0, 1) == doctest::Approx(expected.w[1]).epsilon(1e-5));
    CHECK(get<"y.bias">(theta)(0) == doctest::Approx(expected.w[2]).epsilon(1e-5));
  }
};

TEST_CASE("a batch that makes an update") {
  for (const double max_norm : {0.0, 0.5})
    for (const double max_value : {0.0, 0.75}) {
      on_device<> d;
      d.max_norm = max_norm;
      d.max_value = max_value;
      for (int n = 0; n < 6; ++n) {
        d.give(n, n == 3 ? 2 : 3);
        const double loss = d.expected.loss(0), norm = d.expected.update(max_norm, max_value);
        const backend::run_numbers made = d.queue.step(d.all());
        d.rule.count_step();
        CHECK(made.loss == doctest::Approx(loss).epsilon(1e-4));
        CHECK(made.all_squares == doctest::Approx(max_norm > 0 ? norm * norm : 0).epsilon(1e-4));
        d.check_weights();
      }
    }
}

TEST_CASE("several batches that make one update") {
  on_device<> d;
  for (const double max_norm : {0.0, 0.5}) {
    d.max_norm = max_norm;
    for (int update = 0; update < 2; ++update) {
      std::size_t before = 0;
      for (int n = 0; n < 3; ++n) {
        d.give(n, 3 - n);
        const double loss = d.expected.loss(before);
        before = d.expected.rows.size();
        CHECK(d.queue.forward(d.all(), n == 0) == doctest::Approx(loss).epsilon(1e-4));
        if (n == 0) d.gradients.start_counting();
        d.gradients.count(d.session.positions());
        d.queue.backward(d.all());
      }
      d.gradients.finish();
      const double norm = d.expected.update(max_norm, 0);
      CHECK(d.queue.update(d.all()) == doctest::Approx(max_norm > 0 ? norm * norm : 0).epsilon(1e-4));
      d.rule.count_step();
      d.check_weights();
    }
  }
}

TEST_CASE("what is not finite changes nothing") {
  on_device<> d;
  d.give(0, 3);
  set_input<"target">(d.session,
                      std::vector<std::vector<float>>(3, {std::numeric_limits<float>::infinity()}));
  CHECK_FALSE(std::isfinite(d.queue.step(d.all()).loss));
  d.check_weights();
}

// Clipping limits are arguments of the kernels that change the parameters: another limit needs another capture of those parts.
TEST_CASE("what each part is captured as") {
  on_device<recorded> d;
  d.max_norm = 0.5;
  d.max_value = 0.25;
  using p = engine::part_of_step;
  d.give(0, 3);
  d.queue.step(d.all());
  for (const bool is_first : {true, false}) {
    d.give(1, 3);
    d.queue.forward(d.all(), is_first);
    d.queue.backward(d.all());
  }
  d.queue.update(d.all());
  std::vector<int> made;
  for (const engine::run_shape<plan>& shape : d.queue.captured().shapes) {
    const bool changes = shape.part == p::last || shape.part == p::update;
    made.push_back(shape.part);
    CHECK(shape.max_norm == (changes ? 0.5 : 0));
    CHECK(shape.max_value == (changes ? 0.25 : 0));
    CHECK(shape.parameters == engine::data_on<fenced>(d.theta));
    CHECK(shape.gradients == d.gradients.data());
  }
  CHECK(made ==
        std::vector<int>{p::first, p::last, p::first, p::backward, p::forward, p::backward, p::update});
}

}  // namespace tenon::test
