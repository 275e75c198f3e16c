// Update rules of optimisers, as equations for a weight w with gradient g. `next` lists the new weight, then the new
// states; the last arguments of `update` are the numbers that `constants` computes for each step. With `takes_sparse()`
// a rule says that a weight without a gradient, and its states, may stay unchanged, and with `when_sparse()` which simpler rule it then is;
// with `epsilon_at`, which of the constants keeps a divisor above 0, and so must be a normal number of the weights' type.
//
// A gradient whose square is beyond the type's range makes its average infinite, and the weight stays where it is.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/equation/trace.hpp"
#include "tenon/meta/rounding.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace tenon::inline v0_1::optimizers {

namespace detail {
// average + share (x - average): of an infinite average, where that would be infinity less infinity, the average.
constexpr auto moved_average(auto average, auto share, auto x) {
  return select(greater(average, std::numeric_limits<double>::max()), average,
                average + share * (x - average));
}
// 1 - beta^step. Throws input_error for a beta that is not from 0 to below 1.
inline double bias_correction(const char* name, double beta, long step) {
  if (!(beta >= 0 && beta < 1))
    tenon::detail::throw_input_error(
        {name, ": expected a number from 0 to below 1, got ", tenon::detail::general(beta)});
  return 1 - std::pow(beta, step);
}
}  // namespace detail

// Stochastic gradient descent with momentum (Polyak 1964; PyTorch's form: velocity = momentum velocity + g).
struct sgd {
  double learning_rate = 0.01, momentum = 0, weight_decay = 0;

  static constexpr int states = 1;
  static constexpr auto update(auto w, auto g, auto velocity, auto rate, auto momentum, auto decay) {
    auto v = momentum * velocity + (g + decay * w);
    return next(w - rate * v, v);
  }
  std::array<double, 3> constants(long) const { return {learning_rate, momentum, weight_decay}; }
  bool takes_sparse() const { return momentum == 0 && weight_decay == 0; }
  // What is left of the rule when it takes sparse gradients: no velocity to read and write beside each weight.
  struct sparse_rule {
    double learning_rate;

    static constexpr int states = 0;
    static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
    std::array<double, 1> constants(long) const { return {learning_rate}; }
  };
  sparse_rule when_sparse() const { return {learning_rate}; }
};

// Nesterov's momentum (1983; Sutskever et al. 2013): the step looks ahead along the velocity.
struct sgd_nesterov {
  double learning_rate = 0.01, momentum = 0.9, weight_decay = 0;

  static constexpr int states = 1;
  static constexpr auto update(auto w, auto g, auto velocity, auto rate, auto momentum, auto decay) {
    auto slope = g + decay * w;
    auto v = momentum * velocity + slope;
    return next(w - rate * (slope + momentum * v), v);
  }
  std::array<double, 3> constants(long) const { return {learning_rate, momentum, weight_decay}; }
};

// Adam (Kingma and Ba 2015); weight_decay is added to the gradient. The bias corrections of both moments,
// 1 / (1 - beta^step), go into the rate and epsilon, as at the end of the paper's section 2. beta m + (1 - beta) g is computed as
// m + (1 - beta) (g - m): 1 - beta of a rounded beta would be off by more than a rounding.
struct adam {
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0;

  static constexpr int states = 2, epsilon_at = 3;
  static constexpr auto update(auto w, auto gradient, auto m, auto v, auto rate, auto share1, auto share2,
                               auto epsilon, auto decay) {
    auto g = gradient + decay * w;
    auto mean = m + share1 * (g - m);
    auto variance = detail::moved_average(v, share2, g * g);
    return next(w - rate * mean / (sqrt(variance) + epsilon), mean, variance);
  }
  std::array<double, 5> constants(long step) const {
    const double root = std::sqrt(detail::bias_correction("beta2", beta2, step));
    return {learning_rate * root / detail::bias_correction("beta1", beta1, step), 1 - beta1, 1 - beta2,
            epsilon * root, weight_decay};
  }
};
#define TENON_MEMBERS_OF_ADAM ".learning_rate, .beta1, .beta2, .epsilon, .weight_decay"

// Adam for sparse gradients: moments and weights of a row change only where it has a gradient (PyTorch's SparseAdam).
// Parameters that are not sparse change as a whole. Epsilon is added to the root of the second moment unscaled; only
// the rate has the bias corrections.
struct sparse_adam {
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

  static constexpr int states = 2, epsilon_at = 3;
  static constexpr auto update(auto w, auto g, auto m, auto v, auto rate, auto share1, auto share2,
                               auto epsilon) {
    auto mean = m + share1 * (g - m);
    auto variance = detail::moved_average(v, share2, g * g);
    return next(w - rate * mean / (sqrt(variance) + epsilon), mean, variance);
  }
  std::array<double, 4> constants(long step) const {
    return {learning_rate * std::sqrt(detail::bias_correction("beta2", beta2, step)) /
                detail::bias_correction("beta1", beta1, step),
            1 - beta1, 1 - beta2, epsilon};
  }
  bool takes_sparse() const { return true; }
};

// AdamW (Loshchilov and Hutter 2019): weights shrink by learning_rate * weight_decay, apart from the gradient.
struct adamw {
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0.01;

  static constexpr int states = 2, epsilon_at = 3;
  static constexpr auto update(auto w, auto g, auto m, auto v, auto rate, auto share1, auto share2,
                               auto epsilon, auto shrink) {
    auto mean = m + share1 * (g - m);
    auto variance = detail::moved_average(v, share2, g * g);
    return next(w * shrink - rate * mean / (sqrt(variance) + epsilon), mean, variance);
  }
  TENON_ROUNDS_EACH std::array<double, 5> constants(long step) const {
    TENON_ROUNDS_EACH_HERE
    const double root = std::sqrt(detail::bias_correction("beta2", beta2, step));
    return {learning_rate * root / detail::bias_correction("beta1", beta1, step), 1 - beta1, 1 - beta2,
            epsilon * root, 1 - learning_rate * weight_decay};
  }
};

// Adagrad (Duchi et al. 2011). weight_decay is added to the gradient, as in those below.
struct adagrad {
  double learning_rate = 0.01, epsilon = 1e-10, weight_decay = 0;

  static constexpr int states = 1, epsilon_at = 1;
  static constexpr auto update(auto w, auto gradient, auto sum_of_squares, auto rate, auto epsilon,
                               auto decay) {
    auto g = gradient + decay * w;
    auto s = sum_of_squares + g * g;
    return next(w - rate * g / (sqrt(s) + epsilon), s);
  }
  std::array<double, 3> constants(long) const { return {learning_rate, epsilon, weight_decay}; }
  bool takes_sparse() const { return weight_decay == 0; }
};

// Adadelta (Zeiler 2012).
struct adadelta {
  double learning_rate = 1, rho = 0.9, epsilon = 1e-6, weight_decay = 0;

  static constexpr int states = 2, epsilon_at = 2;
  static constexpr auto update(auto w, auto gradient, auto squares, auto steps, auto rate, auto share,
                               auto epsilon, auto decay) {
    auto g = gradient + decay * w;
    auto s = detail::moved_average(squares, share, g * g);
    auto step = sqrt(steps + epsilon) / sqrt(s + epsilon) * g;
    return next(w - rate * step, s, steps + share * (step * step - steps));
  }
  std::array<double, 4> constants(long) const { return {learning_rate, 1 - rho, epsilon, weight_decay}; }
};

// RMSprop (Hinton's lecture 6e, 2012).
struct rmsprop {
  double learning_rate = 0.01, alpha = 0.99, epsilon = 1e-8, weight_decay = 0;

  static constexpr int states = 1, epsilon_at = 2;
  static constexpr auto update(auto w, auto gradient, auto squares, auto rate, auto share, auto epsilon,
                               auto decay) {
    auto g = gradient + decay * w;
    auto s = detail::moved_average(squares, share, g * g);
    return next(w - rate * g / (sqrt(s) + epsilon), s);
  }
  std::array<double, 4> constants(long) const { return {learning_rate, 1 - alpha, epsilon, weight_decay}; }
};

}  // namespace tenon::inline v0_1::optimizers
