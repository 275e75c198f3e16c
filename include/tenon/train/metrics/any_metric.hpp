// any_metric: a metric whose type is erased, for the options of fit.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/engine/rows/unfit_part.hpp"
#include "tenon/engine/session/by_name.hpp"
#include "tenon/meta/erased.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {

template <class Metric, class Evaluation>
concept MetricOf = requires(Metric m, const Evaluation& e) {
  m.add(e);
  m.reset();
  std::string(m.name());
  static_cast<double>(m.value());
};
// Whether the lowest value of a metric is its best: the value of its bool lower_is_better, static or not.
template <class Metric>
constexpr bool is_lower_better(const Metric& metric) {
  if constexpr (requires {
                  requires std::same_as < std::decay_t<decltype(metric.lower_is_better)>,
                  bool > ;
                })
    return metric.lower_is_better;
  else return false;
}
template <class Metric, class Evaluation>
struct unfit_metric {
  static constexpr problem wrong = [] {
    if constexpr (requires(const Metric& m) {
                    &Metric::lower_is_better;
                    requires !requires {
                      requires std::same_as < std::decay_t<decltype(m.lower_is_better)>,
                      bool > ;
                    };
                  })
      return problem{
          .rule =
              sentence("'lower_is_better' of '").append(type_name<Metric>().view()).append("' is not a bool"),
          .fix = "write static constexpr bool lower_is_better = true;"};
    else if constexpr (MetricOf<Metric, Evaluation>) return unfit_part<Metric, Evaluation>::wrong;
    else
      return problem{
          .rule = sentence("'").append(type_name<Metric>().view()).append("' is not a metric"),
          .fix = "write {metric::accuracy{}}, or see tenon/train/metrics/metrics.hpp for what a metric has"};
  }();
};

// A metric of any type, on the evaluations of a trainer.
template <class Evaluation>
class any_metric {
 public:
  template <class Metric>
  requires(!std::same_as<Metric, any_metric>) any_metric(Metric metric) {
    using unfit = unfit_metric<Metric, Evaluation>;
    if constexpr (unfit::wrong) tenon::detail::say<tenon::detail::error_in<unfit>>();
    else if constexpr (is_laid_out<typename Evaluation::plan>) {
      held_ = shared_value(std::move(metric));
      calls_ = &calls_of<Metric>;
    }
  }

  std::string name() const { return calls_->name(held_); }
  // The output that it judges; empty if it does not name one.
  std::string output() const { return calls_->output(held_); }
  void reset() const { calls_->reset(held_); }
  void add(const Evaluation& e) const { calls_->add(held_, e); }
  double value() const { return calls_->value(held_); }
  bool lower_is_better() const { return calls_->lower_is_better(held_); }

 private:
  struct calls {
    std::string (*name)(const shared_value&);
    std::string (*output)(const shared_value&);
    void (*reset)(const shared_value&);
    void (*add)(const shared_value&, const Evaluation&);
    double (*value)(const shared_value&);
    bool (*lower_is_better)(const shared_value&);
  };
  template <class Metric>
  static constexpr calls calls_of{
      [](const shared_value& held) -> std::string { return held.as<Metric>().name(); },
      []([[maybe_unused]] const shared_value& held) -> std::string {
        if constexpr (requires(const Metric& m) { std::string(m.output()); })
          return std::string(held.as<Metric>().output());
        else return {};
      },
      [](const shared_value& held) { held.as<Metric>().reset(); },
      [](const shared_value& held, const Evaluation& e) { held.as<Metric>().add(e); },
      [](const shared_value& held) { return static_cast<double>(held.as<Metric>().value()); },
      [](const shared_value& held) { return is_lower_better(held.as<Metric>()); }};
  shared_value held_;
  const calls* calls_ = nullptr;
};

// The names of their values: two metrics of one name are told apart by the output that they judge, "accuracy of tags".
template <class Evaluation>
std::vector<std::string> names_of(const std::vector<any_metric<Evaluation>>& metrics) {
  std::vector<std::string> plain, all;
  for (const auto& metric : metrics) plain.push_back(metric.name());
  for (std::size_t k = 0; k < metrics.size(); ++k) {
    const std::string output = metrics[k].output();
    const bool is_single = std::count(plain.begin(), plain.end(), plain[k]) == 1;
    all.push_back(is_single || output.empty() ? plain[k] : plain[k] + " of " + output);
  }
  return all;
}

}  // namespace engine

}  // namespace tenon::inline v0_1
