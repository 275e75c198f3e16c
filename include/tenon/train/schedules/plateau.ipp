// The bodies of plateau.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>

namespace tenon::inline v0_1::schedules {

TENON_INLINE reduce_on_plateau::reduce_on_plateau(double rate, const plateau_options& options)
    : options_(options), rate_(rate) {
  const plateau_options& o = options_;
  engine::check_schedule(rate >= 0, "reduce_on_plateau: expected a rate of at least 0", rate);
  engine::check_schedule(o.factor > 0 && o.factor < 1, "reduce_on_plateau: expected a factor between 0 and 1",
                         o.factor);
  engine::check_schedule(o.patience >= 0, "reduce_on_plateau: expected a patience of at least 0", o.patience);
  engine::check_schedule(o.threshold >= 0 && o.threshold < 1,
                         "reduce_on_plateau: expected a threshold of at least 0 and below 1", o.threshold);
  engine::check_schedule(o.cooldown >= 0, "reduce_on_plateau: expected a cooldown of at least 0", o.cooldown);
  engine::check_schedule(o.min_rate >= 0, "reduce_on_plateau: expected a min_rate of at least 0", o.min_rate);
}

TENON_INLINE double reduce_on_plateau::operator()(const progress& p) {
  if (p.starts_epoch && p.epoch > 0) look_at(p.loss);
  return rate_;
}

TENON_INLINE void reduce_on_plateau::restore(const std::vector<double>& numbers) {
  engine::check_schedule(numbers[0] >= 0, "reduce_on_plateau: expected a rate of at least 0 to go on from",
                         numbers[0]);
  for (const double count : {numbers[2], numbers[3]})
    engine::check_schedule(count >= 0 && count < std::numeric_limits<int>::max(),
                           "reduce_on_plateau: expected counts of at least 0 to go on from", count);
  rate_ = numbers[0];
  best_ = numbers[1];
  waited_ = static_cast<int>(numbers[2]);
  cooling_ = static_cast<int>(numbers[3]);
}

TENON_INLINE void reduce_on_plateau::look_at(double loss) {
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

}  // namespace tenon::inline v0_1::schedules
