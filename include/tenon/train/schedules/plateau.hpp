// schedules::reduce_on_plateau: lowers the rate when the losses of the epochs no longer fall.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/train/schedules/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tenon::schedules {

// When schedules::reduce_on_plateau lowers the rate, and by how much.
struct plateau_options {
  double factor = 0.1;      // by which the rate is multiplied: above 0, below 1
  int patience = 10;        // this many epochs in a row may be no better; the next one lowers the rate
  double threshold = 1e-4;  // better: below the best by more than this share of its size
  int cooldown = 0;         // this many epochs after a reduction do not count
  double min_rate = 0;
};
#define TENON_MEMBERS_OF_PLATEAU_OPTIONS ".factor, .patience, .threshold, .cooldown, .min_rate"

// Starts at `rate` and lowers it when the loss of an epoch no longer falls (PyTorch's ReduceLROnPlateau, mode "min"). A
// loss that is not a number counts as no better. Losses may be negative: PyTorch then counts a loss that is worse by
// less than the threshold as an improvement; this class does not.
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

#define TENON_SENTENCE                                                              \
  "reduce_on_plateau takes a rate and options by their names in this order, as in " \
  "reduce_on_plateau(1e-3, {.patience = 5}): " TENON_MEMBERS_OF_PLATEAU_OPTIONS
  // A template, so that overload resolution prefers the other constructor for a rate without options.
  template <TENON_SAYS_AND(TENON_SENTENCE) class Rate = double>
  reduce_on_plateau(double, ...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  double operator()(const progress& p) {
    if (p.starts_epoch && p.epoch > 0) look_at(p.loss);
    return rate_;
  }

  std::vector<double> state() const {
    return {rate_, best_, static_cast<double>(waited_), static_cast<double>(cooling_)};
  }
  void restore(const std::vector<double>& numbers) {
    for (const double count : {numbers[2], numbers[3]})
      engine::check_schedule(count >= 0 && count <= std::numeric_limits<int>::max(),
                             "reduce_on_plateau: expected counts of at least 0 to go on from", count);
    rate_ = numbers[0];
    best_ = numbers[1];
    waited_ = static_cast<int>(numbers[2]);
    cooling_ = static_cast<int>(numbers[3]);
  }

 private:
  void look_at(double loss) {
    if (loss < best_ * (1 - std::copysign(options_.threshold, best_))) {
      best_ = loss;
      waited_ = 0;
    } else ++waited_;
    if (cooling_ > 0) {
      --cooling_;
      waited_ = 0;
    }
    if (waited_ <= options_.patience) return;
    cooling_ = options_.cooldown;
    waited_ = 0;
    const double lower = std::max(rate_ * options_.factor, options_.min_rate);
    if (rate_ - lower > 1e-8) rate_ = lower;  // PyTorch's eps: smaller reductions are ignored
  }

  plateau_options options_;
  double rate_, best_ = std::numeric_limits<double>::infinity();
  int waited_ = 0, cooling_ = 0;
};

}  // namespace tenon::schedules
