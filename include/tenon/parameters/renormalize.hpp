// renormalize<"embedded.weight">(theta, tokens, max_norm): rows of a table scaled to a norm of at most max_norm (PyTorch's
// Embedding with max_norm).
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/meta/rounding.hpp"
#include "tenon/parameters/parameters.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1 {

namespace engine {
template <class G, text Name>
struct unfit_matrix {
  static constexpr problem wrong = [] {
    const int p = network_of<G>.find_parameter(Name);
    if (p < 0 || network_of<G>.parameters[p].columns > 0) return problem{};
    return problem{.rule = sentence("renormalize scales rows of a matrix, and '")
                               .append(Name.view())
                               .append("' is a vector"),
                   .fix = "name a table: embedded.weight"};
  }();
};
inline void check_norm(double max_norm, double norm_type) {
  if (!(max_norm > 0))
    throw input_error("renormalize: max_norm is " + tenon::detail::fixed(max_norm) +
                      "; give a positive number");
  if (!(norm_type > 0))
    throw input_error("renormalize: norm_type is " + tenon::detail::fixed(norm_type) +
                      "; give a positive number, such as 2");
}
// The factor that brings a row's norm down to max_norm; 1 if it is not above that.
template <class T>
TENON_ROUNDS_EACH double row_scale(const view<const T>& table, int row, double max_norm, double p) {
  TENON_ROUNDS_EACH_HERE
  double sum = 0;
  for (std::size_t j = 0; j < table.shape(1); ++j) {
    const double x = std::abs(double(table(row, j)));
    if (p == std::numeric_limits<double>::infinity()) sum = x > sum ? x : sum;
    else sum += p == 2 ? x * x : std::pow(x, p);
  }
  const double norm = p == std::numeric_limits<double>::infinity() ? sum : std::pow(sum, 1 / p);
  return norm > max_norm ? max_norm / (norm + 1e-7) : 1;  // as in PyTorch
}
template <text Name, class G, class T>
void scale_row(parameters<G, T>& theta, int row, double max_norm, double norm_type) {
  const double scale = row_scale(get<Name>(std::as_const(theta)), row, max_norm, norm_type);
  if (scale == 1) return;  // an unchanged block is not opened for writing
  const view<T> table = get<Name>(theta);
  for (std::size_t j = 0; j < table.shape(1); ++j) table(row, j) = static_cast<T>(table(row, j) * scale);
}
}  // namespace engine

// Scales the rows of these tokens, a range of whole numbers; negative ones, which are padding, are skipped. Called
// before a training step with the step's tokens, it does what PyTorch's Embedding does at a look-up:
//   row := row max_norm / (|row|_p + 1e-7) where |row|_p > max_norm.
// A const block is never changed: inference uses it as it is. Throws input_error, and changes nothing, for a token that
// is no row, or a number that is not positive.
template <ir::text Name, class G, class T, class Tokens>
requires(!std::is_arithmetic_v<Tokens>) void renormalize(parameters<G, T>& theta, const Tokens& tokens,
                                                         double max_norm, double norm_type = 2) {
  if (!tenon::detail::say<tenon::detail::error_in<engine::unfit_matrix<G, Name>>>()) return;
  engine::check_norm(max_norm, norm_type);
  const int rows = static_cast<int>(get<Name>(std::as_const(theta)).shape(0));
  for (const auto& token : tokens)
    if (std::cmp_greater_equal(+token, rows))
      throw input_error("renormalize: token " + std::to_string(token) + " is not a row of '" +
                        std::string(Name.view()) + "', which has " + std::to_string(rows));
  for (const auto& token : tokens)
    if (std::cmp_greater_equal(+token, 0))
      engine::scale_row<Name>(theta, static_cast<int>(token), max_norm, norm_type);
}
// All rows.
template <ir::text Name, class G, class T>
void renormalize(parameters<G, T>& theta, double max_norm, double norm_type = 2) {
  if (!tenon::detail::say<tenon::detail::error_in<engine::unfit_matrix<G, Name>>>()) return;
  engine::check_norm(max_norm, norm_type);
  const int rows = static_cast<int>(get<Name>(std::as_const(theta)).shape(0));
  for (int row = 0; row < rows; ++row) engine::scale_row<Name>(theta, row, max_norm, norm_type);
}

}  // namespace tenon::inline v0_1
