// The gradient checker: analytic gradients against central differences, in double on the reference backend.
#pragma once

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <cmath>
#include <ostream>
#include <string>

namespace tenon {

struct gradient_tolerance {
  double step = 1e-6, absolute = 1e-5, relative = 1e-3;
};

struct gradient_report {
  long entries = 0;                  // compared
  long beyond = 0;                   // beyond the tolerance
  std::string worst{};               // parameter and position of the largest excess
  double analytic = 0, numeric = 0;  // there

  double share_beyond() const {
    return entries > 0 ? static_cast<double>(beyond) / static_cast<double>(entries) : 0;
  }
  explicit operator bool() const { return entries > 0 && beyond == 0; }
};
inline std::ostream& operator<<(std::ostream& out, const gradient_report& r) {
  return out << r.beyond << " of " << r.entries << " entries beyond tolerance; worst: " << r.worst
             << ", analytic " << r.analytic << ", numeric " << r.numeric;
}

// Checks dL/dparameter of a graph under an objective. feed(session) gives the inputs, "target" among them;
// every parameter is checked at `per_parameter` evenly spaced entries at most (0: at each).
template <class G, class Objective, int Rows, class Feed>
gradient_report check_gradients(Feed feed, seed s = {}, int per_parameter = 0,
                                const gradient_tolerance& tolerance = {}) {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, Objective>>>());
  differentiation<G, Objective, batch<Rows>, on<backend::reference>, scalar_type<double>> run;
  parameters<G, double> theta(s), gradients(zeros{});
  feed(run);
  run.randomness(s, 0);
  run.forward(theta);
  run.backward(theta, gradients);

  gradient_report report;
  double worst_excess = -1;
  const double* analytic = static_cast<const parameters<G, double>&>(gradients).data();
  for (const ir::parameter& p : parameters<G, double>::table) {
    if (p.tied_to >= 0 || p.frozen) continue;
    const int stride = per_parameter > 0 ? (p.elements() + per_parameter - 1) / per_parameter : 1;
    for (int k = 0; k < p.elements(); k += stride) {
      if (p.padding >= 0 && k / p.columns == p.padding) continue;  // no gradient by decree
      const auto loss_at = [&](double shift) {
        double& x = theta.data()[p.offset + k];
        const double kept = x;
        x = kept + shift;
        const double loss = run.forward(theta);
        theta.data()[p.offset + k] = kept;
        return loss;
      };
      const double numeric = (loss_at(tolerance.step) - loss_at(-tolerance.step)) / (2 * tolerance.step);
      const double got = analytic[p.offset + k];
      const double excess =
          std::abs(got - numeric) - tolerance.absolute - tolerance.relative * std::abs(numeric);
      ++report.entries;
      if (!(excess <= 0)) ++report.beyond;
      const bool no_number = std::isnan(excess);  // nothing is worse
      if (report.entries == 1 || (!std::isnan(worst_excess) && (no_number || excess > worst_excess))) {
        worst_excess = excess;
        report.worst = std::string(p.path.view()) + "[" + std::to_string(k) + "]";
        report.analytic = got, report.numeric = numeric;
      }
    }
  }
  return report;
}

// Checks a cell: recurrent<Cell, hidden<Hidden>> over five steps with lengths 5, 3, 1 and 0, In features,
// three classes.
template <class C, int In = 4, int Hidden = 3>
gradient_report check_cell_gradients(seed s = {}) {
  using checked =
      graph<"checked", input<"x", features<In>, steps<5>>, node<"states", recurrent<C, hidden<Hidden>>, "x">,
            node<"logits", linear<3>, "states.final">, output<"logits">>;
  static_assert(
      tenon::detail::say<tenon::detail::error_in<detail::problem_of<checked, cross_entropy<"logits">>>>());
  return check_gradients<checked, cross_entropy<"logits">, 4>(
      [&](auto& run) {
        double x[4 * 5 * In];
        backend::random_stream random(s.value, 1);
        for (double& v : x) v = 2 * random.uniform() - 1;
        const int lengths[]{5, 3, 1, 0}, target[]{0, 2, 1, 0};
        set_input<"x">(run, view<const double>(x, {4, 5, In}, {5 * In, In, 1}), lengths);
        set_input<"target">(run, target);
      },
      s);
}

}  // namespace tenon
