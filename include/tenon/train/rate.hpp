// Learning rates over time: functions of what is done, and one that watches the loss, for `rule().rate`
// between epochs or steps. All throw input_error for arguments that mean nothing, such as a period of 0.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tenon {

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
inline void check_count(const char* expected, long got, long least) {
  check_schedule(got >= least, expected, static_cast<double>(got));
}
}  // namespace engine

// From `rate` down to 0 along half a cosine (Loshchilov and Hutter 2017), `done` of `total` being done.
inline double cosine(double rate, long done, long total) {
  constexpr double pi = 3.14159265358979323846;
  engine::check_count("cosine: expected `done` of at least 0", done, 0);
  engine::check_count("cosine: expected a total of at least 0", total, 0);
  if (done >= total) return 0;
  return 0.5 * rate * (1 + std::cos(pi * static_cast<double>(done) / static_cast<double>(total)));
}
// `rate`, multiplied by `factor` after every `period` (at least 1): halved, unless told otherwise.
inline double step_decay(double rate, long done, long period, double factor = 0.5) {
  engine::check_count("step_decay: expected `done` of at least 0", done, 0);
  engine::check_count("step_decay: expected a period of at least 1", period, 1);
  engine::check_schedule(factor > 0, "step_decay: expected a factor above 0", factor);
  return rate * std::pow(factor, static_cast<double>(done / period));
}
// `rate`, multiplied by `factor` each time.
inline double exponential(double rate, long done, double factor) {
  engine::check_count("exponential: expected `done` of at least 0", done, 0);
  engine::check_schedule(factor > 0, "exponential: expected a factor above 0", factor);
  return rate * std::pow(factor, static_cast<double>(done));
}
// In equal steps up to `rate`, which is reached at the last of the first `period`; 0: at once.
inline double warm_up(double rate, long done, long period) {
  engine::check_count("warm_up: expected `done` of at least 0", done, 0);
  engine::check_count("warm_up: expected a period of at least 0", period, 0);
  return done >= period ? rate : rate * static_cast<double>(done + 1) / static_cast<double>(period);
}

// When reduce_on_plateau lowers the rate, and by how much.
struct plateau_options {
  double factor = 0.1;      // by which the rate is multiplied: above 0, below 1
  int patience = 10;        // so many losses in a row may be no better; the next one lowers the rate
  double threshold = 1e-4;  // better: below (1 - threshold) times the best
  int cooldown = 0;         // so many losses after a reduction count for nothing
  double min_rate = 0;
};

// Lowers the rate where the loss no longer falls (PyTorch's ReduceLROnPlateau, mode "min"):
//   reduce_on_plateau plateau({.factor = 0.5, .patience = 2});
//   trainer.rule().rate = plateau(trainer.rule().rate, validation_loss);     after each epoch
class reduce_on_plateau {
 public:
  explicit reduce_on_plateau(const plateau_options& options = {}) : options_(options) {
    const plateau_options& o = options_;
    engine::check_schedule(o.factor > 0 && o.factor < 1,
                           "reduce_on_plateau: expected a factor between 0 and 1", o.factor);
    engine::check_count("reduce_on_plateau: expected a patience of at least 0", o.patience, 0);
    engine::check_schedule(o.threshold >= 0 && o.threshold < 1,
                           "reduce_on_plateau: expected a threshold of at least 0 and below 1", o.threshold);
    engine::check_count("reduce_on_plateau: expected a cooldown of at least 0", o.cooldown, 0);
    engine::check_schedule(o.min_rate >= 0, "reduce_on_plateau: expected a min_rate of at least 0",
                           o.min_rate);
  }

  // The rate to go on with after this loss. One that is not a number counts as no better.
  double operator()(double rate, double loss) {
    if (loss < best_ * (1 - options_.threshold)) best_ = loss, waited_ = 0;
    else ++waited_;
    if (cooling_ > 0) --cooling_, waited_ = 0;
    if (waited_ <= options_.patience) return rate;
    cooling_ = options_.cooldown, waited_ = 0;
    const double lower =
        rate * options_.factor > options_.min_rate ? rate * options_.factor : options_.min_rate;
    return rate - lower > 1e-8 ? lower : rate;  // PyTorch's eps: smaller steps are none
  }
  double best() const { return best_; }

 private:
  plateau_options options_;
  double best_ = std::numeric_limits<double>::infinity();
  int waited_ = 0, cooling_ = 0;
};

}  // namespace tenon
