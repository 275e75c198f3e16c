// Learning rates over time, as values: fit(trainer, data, {.epochs = 30, .schedule = cosine(2e-3)}). A schedule is any function from
// the progress of a training to a rate; fit asks it before each step. Arguments that mean nothing throw input_error.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace tenon {

// How far a training is, before a step.
struct training_progress {
  long step = 0, steps = 1;   // done, and of the whole training
  int epoch = 0, epochs = 1;  // done, and of the whole training
  double learning_rate = 0;   // of the step before
  double loss =
      std::numeric_limits<double>::infinity();  // of the last epoch: of its validation where there is one
  bool starts_epoch = false;                    // is this the first step of an epoch?

  // The share that is done, from 0 to 1.
  double share() const { return steps > 0 ? static_cast<double>(step) / static_cast<double>(steps) : 1; }
};

using rate_schedule = std::function<double(const training_progress&)>;

namespace engine {
[[noreturn, gnu::noinline]] inline void fail_schedule(const char* expected, double got) {
  std::string shown = std::to_string(got);
  while (shown.find('.') != std::string::npos && (shown.back() == '0' || shown.back() == '.'))
    shown.pop_back();
  throw input_error(std::string(expected) + ", got " + shown);
}
inline void check_schedule(bool is_right, const char* expected, double got) {
  if (!is_right) fail_schedule(expected, got);
}
inline double half_cosine(double from, double to, double share) {
  constexpr double pi = 3.14159265358979323846;
  return to + 0.5 * (from - to) * (1 + std::cos(pi * std::min(share, 1.0)));
}
}  // namespace engine

inline rate_schedule constant_rate(double rate) {
  engine::check_schedule(rate >= 0, "constant_rate: expected a rate of at least 0", rate);
  return [rate](const training_progress&) { return rate; };
}
// From `rate` down to `last` along half a cosine over the whole training (Loshchilov and Hutter 2017).
inline rate_schedule cosine(double rate, double last = 0) {
  engine::check_schedule(rate >= 0, "cosine: expected a rate of at least 0", rate);
  engine::check_schedule(last >= 0, "cosine: expected a last rate of at least 0", last);
  return [=](const training_progress& p) { return engine::half_cosine(rate, last, p.share()); };
}
// `rate`, multiplied by `factor` after every `epochs`: halved, unless told otherwise.
inline rate_schedule step_decay(double rate, int epochs, double factor = 0.5) {
  engine::check_schedule(rate >= 0, "step_decay: expected a rate of at least 0", rate);
  engine::check_schedule(epochs >= 1, "step_decay: expected a period of at least 1 epoch", epochs);
  engine::check_schedule(factor > 0, "step_decay: expected a factor above 0", factor);
  return [=](const training_progress& p) { return rate * std::pow(factor, p.epoch / epochs); };
}
// `rate`, multiplied by `factor` after each epoch.
inline rate_schedule exponential(double rate, double factor) {
  engine::check_schedule(rate >= 0, "exponential: expected a rate of at least 0", rate);
  engine::check_schedule(factor > 0, "exponential: expected a factor above 0", factor);
  return [=](const training_progress& p) { return rate * std::pow(factor, p.epoch); };
}
// In equal steps up to the rates of another schedule, which are reached at the last of the first `steps` steps.
inline rate_schedule warm_up(long steps, rate_schedule then) {
  engine::check_schedule(steps >= 0, "warm_up: expected at least 0 steps", static_cast<double>(steps));
  return [=, then = std::move(then)](const training_progress& p) {
    const double rate = then(p);
    return p.step >= steps ? rate : rate * static_cast<double>(p.step + 1) / static_cast<double>(steps);
  };
}
// Up along half a cosine from a 25th of `highest` in the first 3/10 of the training, then down to a ten-thousandth of its start
// (Smith and Topin 2018; the numbers are PyTorch's OneCycleLR).
inline rate_schedule one_cycle(double highest) {
  engine::check_schedule(highest >= 0, "one_cycle: expected a highest rate of at least 0", highest);
  return [=](const training_progress& p) {
    constexpr double rising = 0.3;
    const double first = highest / 25, share = p.share();
    if (share < rising) return engine::half_cosine(first, highest, share / rising);
    return engine::half_cosine(highest, first / 1e4, (share - rising) / (1 - rising));
  };
}

// When reduce_on_plateau lowers the rate, and by how much.
struct plateau_options {
  double factor = 0.1;      // by which the rate is multiplied: above 0, below 1
  int patience = 10;        // so many epochs in a row may be no better; the next one lowers the rate
  double threshold = 1e-4;  // better: below (1 - threshold) times the best
  int cooldown = 0;         // so many epochs after a reduction count for nothing
  double min_rate = 0;
};

// Starts at `rate` and lowers it where the loss of an epoch no longer falls (PyTorch's ReduceLROnPlateau, mode "min"). A loss that
// is not a number counts as no better.
class reduce_on_plateau {
 public:
  explicit reduce_on_plateau(double rate, const plateau_options& options = {})
      : options_(options), rate_(rate) {
    const plateau_options& o = options_;
    engine::check_schedule(rate >= 0, "reduce_on_plateau: expected a rate of at least 0", rate);
    engine::check_schedule(o.factor > 0 && o.factor < 1,
                           "reduce_on_plateau: expected a factor between 0 and 1", o.factor);
    engine::check_schedule(o.patience >= 0, "reduce_on_plateau: expected a patience of at least 0",
                           o.patience);
    engine::check_schedule(o.threshold >= 0 && o.threshold < 1,
                           "reduce_on_plateau: expected a threshold of at least 0 and below 1", o.threshold);
    engine::check_schedule(o.cooldown >= 0, "reduce_on_plateau: expected a cooldown of at least 0",
                           o.cooldown);
    engine::check_schedule(o.min_rate >= 0, "reduce_on_plateau: expected a min_rate of at least 0",
                           o.min_rate);
  }

  double operator()(const training_progress& p) {
    if (p.starts_epoch && p.epoch > 0) look_at(p.loss);
    return rate_;
  }

 private:
  void look_at(double loss) {
    if (loss < best_ * (1 - options_.threshold)) best_ = loss, waited_ = 0;
    else ++waited_;
    if (cooling_ > 0) --cooling_, waited_ = 0;
    if (waited_ <= options_.patience) return;
    cooling_ = options_.cooldown, waited_ = 0;
    const double lower = std::max(rate_ * options_.factor, options_.min_rate);
    if (rate_ - lower > 1e-8) rate_ = lower;  // PyTorch's eps: smaller steps are none
  }

  plateau_options options_;
  double rate_, best_ = std::numeric_limits<double>::infinity();
  int waited_ = 0, cooling_ = 0;
};

}  // namespace tenon
