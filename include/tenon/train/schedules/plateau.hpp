// schedules::reduce_on_plateau: lowers the rate when the losses of the epochs no longer fall.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/train/schedules/schedule.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::inline v0_1::schedules {

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
  explicit reduce_on_plateau(double rate, const plateau_options& options = {});

#define TENON_SENTENCE                                                              \
  "reduce_on_plateau takes a rate and options by their names in this order, as in " \
  "reduce_on_plateau(1e-3, {.patience = 5}): " TENON_MEMBERS_OF_PLATEAU_OPTIONS
  // A template, so that overload resolution prefers the other constructor for a rate without options.
  template <TENON_SAYS_AND(TENON_SENTENCE) class Rate = double>
  reduce_on_plateau(double, ...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  double operator()(const progress& p);

  std::vector<double> state() const {
    return {rate_, best_, static_cast<double>(waited_), static_cast<double>(cooling_)};
  }
  void restore(const std::vector<double>& numbers);

 private:
  void look_at(double loss);

  plateau_options options_;
  double rate_, best_ = std::numeric_limits<double>::infinity();
  int waited_ = 0, cooling_ = 0;
};

}  // namespace tenon::inline v0_1::schedules

#ifndef TENON_COMPILED
#  include "tenon/train/schedules/plateau.ipp"
#endif
