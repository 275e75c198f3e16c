// early_stopping: ends a training when its loss (Prechelt 1998) or a metric of its validation stops improving.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"

#include <limits>
#include <string>

namespace tenon::inline v0_1 {

// fit(trainer, data, {.epochs = 100, .validate = held_out, .stop = early_stopping{.patience = 5}})
struct early_stopping {
  int patience = 5;          // training ends after this many epochs in a row without improvement
  double min_delta = 0;      // an improvement is more than this better than the best
  bool restore_best = true;  // at the end, the parameters and their average are those of the best epoch
  std::string metric = {};   // the name of one of .metrics to watch in place of the loss: "accuracy"
};

namespace engine {

struct loop_checkpoint_access;  // for checkpoint.hpp

// Watches the losses of the epochs.
class stopping_rule {
 public:
  // Throws input_error for a patience below 1, or a min_delta that is negative or not finite.
  explicit stopping_rule(const early_stopping& options);

  // The loss of one more epoch. A loss that is not a number is no improvement.
  void look_at(double loss);
  bool continues() const { return epochs_ - best_epoch_ < options_.patience; }

 private:
  friend loop_checkpoint_access;
  early_stopping options_;
  double best_ = std::numeric_limits<double>::infinity();
  int epochs_ = 0, best_epoch_ = 0;
};

}  // namespace engine
}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/train/loop/early_stopping.ipp"
#endif
