// Metrics of regression: they compare numbers with their targets. For metrics see metrics.hpp.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/engine/session/by_name.hpp"
#include "tenon/train/metrics/predictions.hpp"

#include <cmath>
#include <cstddef>
#include <string>

namespace tenon::inline v0_1 {

namespace engine {
// What is wrong with an output of numbers, and with the input for its targets.
template <class Session, text Output, text Target>
constexpr problem unfit_judged_numbers(characters metric) {
  using plan = typename Session::plan;
  constexpr int made = output_edge<plan>(Output), wanted = input_edge<plan>(Target);
  if constexpr (!is_laid_out<plan>) {
    return {};
  } else if constexpr (made < 0) {
    return unfit_name_of_judged_output<plan, Output>({metric});
  } else if constexpr (wanted < 0) {
    return unfit_name_of_input<plan, Target>::wrong;
  } else {
    constexpr const auto &y = plan::net.edges[made], &target = plan::net.edges[wanted];
    const sentence subject = sentence("a metric of numbers: input '").append(Target.view());
    if (target.is_token())
      return {.rule = sentence(subject).append("' holds classes, not numbers"),
              .fix = "write a metric of classes, such as metric::accuracy"};
    if (target.axis != y.axis || target.size != y.size || target.layers != y.layers)
      return {
          .rule =
              sentence(subject).append("' has another shape than output '").append(Output.view()).append("'"),
          .fix = sentence("name output and target: ").append(metric).append("\"y\", \"target\">{}")};
    return {};
  }
}
template <class Session, text Output, text Target, text Metric>
struct unfit_numbers {
  static constexpr problem wrong = unfit_judged_numbers<Session, Output, Target>(Metric.view());
};
}  // namespace engine

namespace detail {
constexpr double checked_unit(const char* metric, double unit) {
  if (!(unit > 0) || unit - unit != 0)
    throw_input_error(
        {metric, ": expected a unit that is finite and above 0, got ", tenon::detail::fixed(unit)});
  return unit;
}
// Metric: the text before its names, "metric::r_squared<".
template <ir::text Metric, ir::text Output, ir::text Target>
struct of_numbers {
  template <class Session>
  using unfit = engine::unfit_numbers<Session, Output, Target, Metric>;
  static std::string output() { return std::string(Output.view()); }

 protected:
  // f(number, target) for all of a run.
  template <class Session, class F>
  static void each(const Session& session, F f) {
    if constexpr (!unfit<Session>::wrong) {
      constexpr int wanted = engine::input_edge<typename Session::plan>(Target);
      using number = const typename Session::plan::scalar;
      const auto walk = [&](const auto& self, const view<number>& y, const view<number>& target) -> void {
        if (y.dimension() == 0) return f(static_cast<double>(y()), static_cast<double>(target()));
        for (std::size_t k = 0; k < y.extent(0); ++k) self(self, y[k], target[k]);
      };
      const view<number> y = get<Output>(session), target = get_input<Target>(session);
      for (int r = 0; r < session.rows(); ++r) {
        if constexpr (Session::plan::net.edges[wanted].axis < 0 || Session::plan::net.edges[wanted].is_grid())
          walk(walk, y[r], target[r]);
        else
          for (int t = 0; t < engine::access::length<wanted>(session, r); ++t)
            walk(walk, y[r][t], target[r][t]);
      }
    }
  }
};
}  // namespace detail

namespace metric {

// Output and target have one shape; steps past a sequence's end do not count. With a unit, which is the deviation of
// standardised targets, the error is in the targets' original unit: the error times unit. Throws input_error for a unit
// that is not finite, or not above 0.
template <ir::text Output = "y", ir::text Target = "target">
class mean_absolute_error : public tenon::detail::of_numbers<"metric::mean_absolute_error<", Output, Target> {
 public:
  static constexpr bool lower_is_better = true;
  explicit(false) constexpr mean_absolute_error(double unit = 1)
      : unit_(tenon::detail::checked_unit("metric::mean_absolute_error", unit)) {}
  std::string name() const { return "MAE"; }
  void reset() { errors_ = {}; }
  void add(const auto& session) {
    this->each(session, [&](double y, double target) { errors_.add(std::abs(y - target)); });
  }
  double value() const { return unit_ * errors_.value(); }

 private:
  double unit_;
  tenon::detail::running_mean errors_;
};
// With a unit, the squared error times unit * unit.
template <ir::text Output = "y", ir::text Target = "target">
class mean_squared_error : public tenon::detail::of_numbers<"metric::mean_squared_error<", Output, Target> {
 public:
  static constexpr bool lower_is_better = true;
  explicit(false) constexpr mean_squared_error(double unit = 1)
      : unit_(tenon::detail::checked_unit("metric::mean_squared_error", unit)) {}
  std::string name() const { return "MSE"; }
  void reset() { errors_ = {}; }
  void add(const auto& session) {
    this->each(session, [&](double y, double target) { errors_.add((y - target) * (y - target)); });
  }
  double value() const { return unit_ * unit_ * errors_.value(); }

 private:
  double unit_;
  tenon::detail::running_mean errors_;
};
// 1 - (sum of squared errors) / (sum of squared distances from the targets' mean), over all numbers; 1 is
// perfect, 0 is what the mean would achieve. If all targets are equal it is 1 if every number is right,
// else 0, as scikit-learn's r2_score.
template <ir::text Output = "y", ir::text Target = "target">
class r_squared : public tenon::detail::of_numbers<"metric::r_squared<", Output, Target> {
 public:
  std::string name() const { return "R2"; }
  void reset() {
    errors_ = mean_ = distances_ = 0;
    count_ = 0;
  }
  void add(const auto& session) {
    this->each(session, [&](double y, double target) {  // Welford 1962
      errors_ += (y - target) * (y - target);
      ++count_;
      const double from_mean = target - mean_;
      mean_ += from_mean / static_cast<double>(count_);
      distances_ += from_mean * (target - mean_);
    });
  }
  double value() const {
    if (distances_ > 0) return 1 - errors_ / distances_;
    return count_ > 0 && errors_ == 0 ? 1 : 0;
  }

 private:
  double errors_ = 0, mean_ = 0, distances_ = 0;
  long count_ = 0;
};

}  // namespace metric
}  // namespace tenon::inline v0_1
