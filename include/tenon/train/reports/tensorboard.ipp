// The bodies of tensorboard.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <cmath>

namespace tenon::inline v0_1::io {

TENON_INLINE void tensorboard::check_metrics(std::size_t count) const {
  if (!metric_names_.empty() && metric_names_.size() != count)
    detail::throw_input_error({"tensorboard: expected a name for each metric, got ", metric_names_.size(),
                               " names for ", count, " metrics"});
}

TENON_INLINE void tensorboard::operator()(const reports::epoch& report) const {
  check_metrics(report.metrics.size());
  file_->scalar("loss/train", report.loss, report.epoch);
  if (!std::isnan(report.validation_loss))
    file_->scalar("loss/validation", report.validation_loss, report.epoch);
  for (std::size_t k = 0; k < report.metrics.size(); ++k)
    file_->scalar("metric/" + (metric_names_.empty() ? std::to_string(k + 1) : metric_names_[k]),
                  report.metrics[k], report.epoch);
  file_->scalar("learning_rate", report.learning_rate, report.epoch);
  file_->scalar("seconds", report.seconds, report.epoch);
  for (const auto& write : blocks_) write(*file_, report.epoch);
}

}  // namespace tenon::inline v0_1::io
