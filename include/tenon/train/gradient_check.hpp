// The gradient checker: analytic gradients against central differences, in double on the reference backend.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/mean_loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <cmath>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace reports {

struct gradient_tolerance {
  double step = 1e-6, absolute = 1e-5, relative = 1e-3;
};
#define TENON_MEMBERS_OF_GRADIENT_TOLERANCE ".step, .absolute, .relative"

struct gradients {
  long entries = 0;                  // compared
  long beyond = 0;                   // of these, beyond the tolerance
  std::string worst{};               // parameter and position of the largest excess; empty if all agree
  double analytic = 0, numeric = 0;  // the derivatives at `worst`

  double share_beyond() const {
    return entries > 0 ? static_cast<double>(beyond) / static_cast<double>(entries) : 0;
  }
  explicit operator bool() const { return entries > 0 && beyond == 0; }
};
inline std::ostream& operator<<(std::ostream& out, const gradients& r) {
  if (r) return out << "all " << std::to_string(r.entries) << " entries agree";
  return out << std::to_string(r.beyond) << " of " << std::to_string(r.entries)
             << " entries beyond tolerance; worst: " << r.worst << ", analytic "
             << tenon::detail::general(r.analytic) << ", numeric " << tenon::detail::general(r.numeric);
}

}  // namespace reports

inline namespace TENON_INSTRUCTION_SET {

// Checks dL/dparameter of a graph under an objective. feed(session) sets the inputs, including "target". At most
// `per_parameter` evenly spaced entries of each parameter are checked (0: all).
template <class G, class Objective, int Rows, class Feed>
reports::gradients check_gradients(Feed feed, seed s = {}, int per_parameter = 0,
                                   const reports::gradient_tolerance& tolerance = {}) {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, Objective>>>());
  differentiation<G, Objective, batch<Rows>, on<backend::reference>, scalar_type<double>> run;
  parameters<G, double> theta(s), gradients(zeros{});
  feed(run);
  run.randomness(s, 0);
  run.forward(theta);
  run.backward(theta, gradients);

  reports::gradients report;
  double worst_excess = 0;
  const double* analytic = static_cast<const parameters<G, double>&>(gradients).data();
  for (const ir::parameter& p : parameters<G, double>::table) {
    if (p.tied_to >= 0 || p.frozen) continue;
    const int stride = per_parameter > 0 ? (p.elements() + per_parameter - 1) / per_parameter : 1;
    for (int k = 0; k < p.elements(); k += stride) {
      if (p.padding >= 0 && k / p.columns == p.padding) continue;  // padding has no gradient
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
      if (excess <= 0) continue;
      ++report.beyond;
      const bool no_number = std::isnan(excess);  // NaN counts as the worst
      if (!std::isnan(worst_excess) && (no_number || excess > worst_excess)) {
        worst_excess = excess;
        report.worst = std::string(p.path.view()) + "[" + std::to_string(k) + "]";
        report.analytic = got;
        report.numeric = numeric;
      }
    }
  }
  return report;
}
#define TENON_SENTENCE                                                                                   \
  "check_gradients takes a function that gives the inputs, a seed, the entries of each parameter, then " \
  "tolerances by their names in this order, as in "                                                      \
  "check_gradients<model, losses::mse<\"y\">, 4>(feed, seed{1}, 0, {.relative = "                        \
  "1e-3}): " TENON_MEMBERS_OF_GRADIENT_TOLERANCE
template <class G, class Objective, int Rows TENON_AND_SAYS(TENON_SENTENCE)>
reports::gradients check_gradients(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace TENON_INSTRUCTION_SET

namespace detail {

// Reduces N sources to one number without parameters; each feature counts, with a derivative of its own.
template <int N>
struct squared_distance {
  static constexpr auto at(auto... y) requires(sizeof...(y) == N) { return (sum(square(y - 0.5)) + ...); }
};
// "state_0", and its last value, "checked_cell.h_n".
template <int S>
inline constexpr auto initial_state_name = [] {
  constexpr ir::name called = ir::name("state_").append(S);
  return ir::exact_text<called.size>(called);
}();
template <int S>
inline constexpr auto last_state_name = [] {
  constexpr ir::name called = ir::name("checked_cell.").append(ir::name_of_state(S).view());
  return ir::exact_text<called.size>(called);
}();

// A cell whose x and initial states are parameters, rows of tables, so that the check also compares their derivatives.
template <class C, int In, int Hidden, class States>
struct cell_check;
template <class C, int In, int Hidden, int... S>
struct cell_check<C, In, Hidden, std::integer_sequence<int, S...>> {
  using checked =
      graph<"checked", input<"step", token<5 + 3 + 1>, steps<5>>, input<"row", token<4>>,
            node<"x", nn::embedding<5 + 3 + 1, In>, "step">,
            node<initial_state_name<S>, nn::embedding<4, Hidden>, "row">...,
            node<"checked_cell", nn::recurrent<C, nn::hidden<Hidden>>, "x", initial_state_name<S>...>,
            node<"output", squared_distance<1>, "checked_cell">,
            node<"last", squared_distance<sizeof...(S)>, last_state_name<S>...>, output<"output">,
            output<"last">>;
  using objective = losses::sum_of<losses::mean_of<"output">, losses::mean_of<"last">>;
};

}  // namespace detail

inline namespace TENON_INSTRUCTION_SET {

// Checks a cell: recurrent<Cell, hidden<Hidden>> over five steps with lengths 5, 3, 1 and 0, In features.
// Compares dL/dparameter, dL/dx and dL/dinitial state of L = the mean of |y - 1/2|^2 over the outputs y,
// plus that over all last states.
template <class C, int In = 4, int Hidden = 3>
reports::gradients check_cell_gradients(seed s = {}) {
  using alone =
      graph<"checked", input<"x", features<In>, steps<5>>,
            node<"checked_cell", nn::recurrent<C, nn::hidden<Hidden>>, "x">, output<"checked_cell">>;
  using unfit = detail::problem_of<alone, void>;
  if constexpr (unfit::wrong) {
    tenon::detail::say<tenon::detail::error_in<unfit>>();
    return {};
  } else {
    using states = std::make_integer_sequence<int, ir::state_count<C>>;
    using check = detail::cell_check<C, In, Hidden, states>;
    reports::gradients report = check_gradients<typename check::checked, typename check::objective, 4>(
        [](auto& run) {
          constexpr std::size_t lengths[]{5, 3, 1, 0};
          std::vector<std::vector<int>> steps(4);
          int step = 0;
          for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t t = 0; t < lengths[row]; ++t) steps[row].push_back(step++);
          set_input<"step">(run, steps);
          set_input<"row">(run, std::vector{0, 1, 2, 3});
        },
        s);
    if (!report.worst.starts_with("checked_cell."))  // x and the states are rows of a table: no ".weight"
      if (const std::size_t at = report.worst.find(".weight["); at != std::string::npos)
        report.worst.erase(at, std::string_view(".weight").size());
    return report;
  }
}

}  // namespace TENON_INSTRUCTION_SET

}  // namespace tenon::inline v0_1
