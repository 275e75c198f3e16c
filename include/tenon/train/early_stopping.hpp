// early_stopping: ends a training whose validation loss no longer falls (Prechelt 1998).
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <limits>
#include <string>

namespace tenon {

//   early_stopping patience(5);
//   fit(trainer, count, feed, options, [&](const epoch_report&) {
//     const bool go_on = patience.go_on(validation_loss());
//     if (patience.improved()) best = theta;
//     return go_on;
//   });
class early_stopping {
 public:
  // The epoch that is the `patience`-th in a row to bring nothing is the last. A loss is better if it is
  // lower than the best by more than `least`. Throws input_error for a patience below 1.
  explicit early_stopping(int patience, double least = 0) : patience_(patience), least_(least) {
    if (patience < 1)
      throw input_error("early_stopping: expected a patience of at least 1, got " + std::to_string(patience));
  }

  // Takes the loss of one more epoch; false: stop. A loss that is not a number is no better than any.
  bool go_on(double loss) {
    ++epochs_;
    if (loss < best_ - least_) best_ = loss, best_epoch_ = epochs_;
    return waited() < patience_;
  }
  bool improved() const { return best_epoch_ > 0 && waited() == 0; }  // the last epoch was the best so far
  double best() const { return best_; }                               // infinite before the first
  int best_epoch() const { return best_epoch_; }                      // from 1; 0: none yet
  int waited() const { return epochs_ - best_epoch_; }                // epochs since the best one

 private:
  int patience_;
  double least_;
  double best_ = std::numeric_limits<double>::infinity();
  int epochs_ = 0, best_epoch_ = 0;
};

}  // namespace tenon
