// any_metric: a metric whose type is erased, for the options of fit.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/engine/session/by_name.hpp"
#include "tenon/train/unfit_part.hpp"

#include <concepts>
#include <memory>
#include <string>
#include <utility>

namespace tenon {

namespace engine {

template <class Metric, class Evaluation>
concept MetricOf = requires(Metric m, const Evaluation& e) {
  m.add(e), m.reset(), std::string(m.name());
  static_cast<double>(m.value());
};
template <class Metric, class Evaluation>
struct unfit_metric {
  static constexpr problem wrong = [] {
    if constexpr (MetricOf<Metric, Evaluation>) return unfit_part<Metric, Evaluation>::wrong;
    else
      return problem{
          .rule = sentence("'").append(type_name<Metric>().view()).append("' is no metric"),
          .fix = "write {metric::accuracy{}}, or see tenon/train/metrics.hpp for what a metric has"};
  }();
};

// A metric, whatever its type, on the evaluations of a trainer.
template <class Evaluation>
class any_metric {
 public:
  template <class Metric>
  requires(!std::same_as<Metric, any_metric>) any_metric(Metric metric) {
    using unfit = unfit_metric<Metric, Evaluation>;
    if constexpr (unfit::wrong) tenon::detail::say<tenon::detail::error_in<unfit>>();
    else held_ = std::make_shared<holder<Metric>>(std::move(metric));
  }

  std::string name() const { return held_->name(); }
  void reset() const { held_->reset(); }
  void add(const Evaluation& e) const { held_->add(e); }
  double value() const { return held_->value(); }

 private:
  struct interface {
    virtual ~interface() = default;
    virtual std::string name() const = 0;
    virtual void reset() = 0;
    virtual void add(const Evaluation&) = 0;
    virtual double value() const = 0;
  };
  template <class Metric>
  struct holder final : interface {
    Metric metric;
    explicit holder(Metric m) : metric(std::move(m)) {}
    std::string name() const override { return metric.name(); }
    void reset() override { metric.reset(); }
    void add(const Evaluation& e) override { metric.add(e); }
    double value() const override { return static_cast<double>(metric.value()); }
  };
  std::shared_ptr<interface> held_;
};

}  // namespace engine

}  // namespace tenon
