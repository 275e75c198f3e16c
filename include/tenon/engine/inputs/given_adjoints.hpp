// given_adjoints: dL/doutput as a caller gives it, a tensor in the shape of the output. Its shape is checked; then it
// is read in place, or copied to the adjoint of the output.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/engine/inputs/copy_features.hpp"
#include "tenon/engine/plan/program_memory.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/tensor/view.hpp"

#include <concepts>
#include <cstddef>
#include <string>

namespace tenon::inline v0_1::engine {

// [4, 3]
template <class X>
std::string shape_of(const X& tensor) {
  std::string all = "[";
  for (std::size_t k = 0; k < tensor.dimension(); ++k)
    all += (k > 0 ? ", " : "") + std::to_string(tensor.shape()[k]);
  return all + "]";
}
// Throws input_error.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_adjoint(characters output, characters what) {
  tenon::detail::throw_input_error({"adjoint of output '", output, "': ", what});
}
// Throws input_error if x does not have the shape of the output y.
template <class X, class Y>
void check_adjoint_shape(characters output, const X& x, const Y& y) {
  bool is_same = x.dimension() == y.dimension();
  for (std::size_t k = 0; k < y.dimension() && is_same; ++k)
    is_same = static_cast<std::size_t>(x.shape()[k]) == y.shape(k);
  if (!is_same) refuse_adjoint(output, "expected " + shape_of(y) + ", got " + shape_of(x));
}

// Where kernels can read the adjoint of edge E in the caller's memory: x must be a view with contiguous features, and
// the lines of a grid must follow each other at the distance of its places. Without data: it cannot be read in place.
template <class Plan, int E, class X>
operand<const typename Plan::scalar> adjoint_in_place([[maybe_unused]] const X& x) {
  if constexpr (Plan::reads_callers_adjoint(E) && std::convertible_to<X, view<const typename Plan::scalar>>) {
    constexpr edge e = Plan::net.edges[E];
    const bool is_line_after_line = [&] {
      if constexpr (e.is_grid()) return x.stride(1) == e.grid.width * x.stride(2);
      else return true;
    }();
    if (x.stride(x.dimension() - 1) == 1 && is_line_after_line)
      return {x.data_handle(), x.stride(0), e.axis < 0 ? 0 : x.stride(e.is_grid() ? 2 : 1)};
  }
  return {};
}
// to[.., :] = x[.., :], or += if there are other contributions to the adjoint of edge E.
template <class Plan, int E, class X, class To>
void take_adjoint(const X& x, const To& to) {
  constexpr edge e = Plan::net.edges[E];
  const auto put = [&](auto... at) {
    if constexpr (Plan::owns_its_memory(E)) copy_features<e.size>(x, &to(at..., 0), at...);
    else
      for (std::size_t j = 0; j < std::size_t(e.size); ++j)
        to(at..., j) += static_cast<typename Plan::scalar>(x(at..., j));
  };
  for (std::size_t i = 0; i < to.shape(0); ++i) {
    if constexpr (e.axis < 0 && e.layers == 1) put(i);
    else if constexpr (e.is_grid())
      for (std::size_t y = 0; y < to.shape(1); ++y)
        for (std::size_t k = 0; k < to.shape(2); ++k) put(i, y, k);
    else
      for (std::size_t k = 0; k < to.shape(1); ++k) put(i, k);
  }
}

}  // namespace tenon::inline v0_1::engine
