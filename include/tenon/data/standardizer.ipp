// The bodies of standardizer.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1 {

TENON_INLINE standardizer::standardizer(std::vector<double> mean, std::vector<double> deviation,
                                        const standardizer_options& options)
    : mean_(std::move(mean)), deviation_(std::move(deviation)), options_(options) {
  if (mean_.size() != deviation_.size() || mean_.empty())
    detail::throw_input_error({"standardizer: expected a mean and a deviation for each number, got ",
                               mean_.size(), " means and ", deviation_.size(), " deviations"});
  for (std::size_t k = 0; k < mean_.size(); ++k) {
    if (!std::isfinite(mean_[k])) refuse_number(k, "mean", "a finite number", mean_[k]);
    if (!(deviation_[k] > 0) || !std::isfinite(deviation_[k]))
      refuse_number(k, "deviation", "a finite number above 0", deviation_[k]);
  }
}

TENON_INLINE void standardizer::check_count(std::size_t r, std::size_t got) const {
  if (got != mean_.size())
    detail::throw_input_error({"standardizer: row ", r, ": expected ", mean_.size(),
                               mean_.size() == 1 ? " number, got " : " numbers, got ", got,
                               got == 1 ? "; one row by itself is scale.row(row)" : ""});
}

TENON_INLINE void standardizer::refuse_number(std::size_t k, const char* of, const char* expected,
                                              double got) {
  detail::throw_input_error(
      {"standardizer: ", of, " of number ", k, ": expected ", expected, ", got ", tenon::detail::fixed(got)});
}

}  // namespace tenon::inline v0_1
