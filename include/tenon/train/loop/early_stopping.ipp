// The bodies of early_stopping.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::engine {

TENON_INLINE stopping_rule::stopping_rule(const early_stopping& options) : options_(options) {
  if (options.patience < 1)
    throw input_error("early_stopping: expected a patience of at least 1, got " +
                      std::to_string(options.patience));
  if (!(options.min_delta >= 0) || options.min_delta > std::numeric_limits<double>::max())
    throw input_error("early_stopping: expected a finite min_delta of at least 0, got " +
                      tenon::detail::fixed(options.min_delta));
}

TENON_INLINE void stopping_rule::look_at(double loss) {
  ++epochs_;
  if (loss < best_ - options_.min_delta) {
    best_ = loss;
    best_epoch_ = epochs_;
  }
}

}  // namespace tenon::inline v0_1::engine
