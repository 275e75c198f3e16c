// Learning rates over time: functions of what is done, and one that watches the loss, for `rule().rate`
// between epochs or steps.
#pragma once

#include <cmath>
#include <limits>

namespace tenon {

// From `rate` down to 0 along half a cosine (Loshchilov and Hutter 2017), `done` of `total` being done.
inline double cosine(double rate, long done, long total) {
  constexpr double pi = 3.14159265358979323846;
  if (done >= total) return 0;
  return 0.5 * rate * (1 + std::cos(pi * static_cast<double>(done) / static_cast<double>(total)));
}
// `rate`, multiplied by `factor` after every `period` (at least 1): halved, unless told otherwise.
inline double step_decay(double rate, long done, long period, double factor = 0.5) {
  return rate * std::pow(factor, static_cast<double>(done / period));
}
// `rate`, multiplied by `factor` each time.
inline double exponential(double rate, long done, double factor) {
  return rate * std::pow(factor, static_cast<double>(done));
}
// In equal steps up to `rate`, which is reached at the last of the first `period`.
inline double warm_up(double rate, long done, long period) {
  return done >= period ? rate : rate * static_cast<double>(done + 1) / static_cast<double>(period);
}

// When reduce_on_plateau lowers the rate, and by how much.
struct plateau_options {
  double factor = 0.1;      // by which the rate is multiplied
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
  explicit reduce_on_plateau(const plateau_options& options = {}) : options_(options) {}

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
