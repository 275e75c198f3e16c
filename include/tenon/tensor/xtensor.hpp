// The bridge to xtensor: views of parameters and outputs as xtensor arrays, without a copy. The other direction needs
// no bridge: a session accepts any xtensor expression as an input.
#pragma once

#if __has_include(<xtensor/containers/xadapt.hpp>)
#  include <xtensor/containers/xadapt.hpp>
#else
#  include <xtensor/xadapt.hpp>
#endif
#if __has_include(<xtensor/views/xstrided_view.hpp>)
#  include <xtensor/views/xstrided_view.hpp>
#else
#  include <xtensor/xstrided_view.hpp>
#endif

#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/view.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace tenon::inline v0_1 {

// An xtensor view of Rank dimensions on the memory of v, valid as long as that memory. Rank is checked. It is a strided
// view, not an adaptor with strides: xtensor 0.24 treats all of an adaptor's memory as its elements, gaps included.
template <std::size_t Rank, class T>
auto as_xtensor(const view<T>& v) {
  if (v.dimension() != Rank)
    throw std::invalid_argument("as_xtensor<" + std::to_string(Rank) + ">: the tensor has rank " +
                                std::to_string(v.dimension()));
  std::array<std::size_t, Rank> shape{};
  std::array<std::ptrdiff_t, Rank> strides{};
  std::size_t reach = v.size() == 0 ? 0 : 1;
  for (std::size_t k = 0; k < Rank; ++k) {
    shape[k] = v.shape(k);
    strides[k] = v.shape(k) == 1 ? 0 : v.stride(k);  // xtensor's convention for axes of length one
    if (reach > 0) reach += (shape[k] - 1) * static_cast<std::size_t>(v.stride(k));
  }
  auto memory = xt::adapt(v.data_handle(), reach, xt::no_ownership(), std::array<std::size_t, 1>{reach});
  using memory_type = decltype(memory);
  return xt::xstrided_view<memory_type, std::array<std::size_t, Rank>>(
      std::move(memory), std::move(shape), std::move(strides), 0, xt::layout_type::dynamic);
}

}  // namespace tenon::inline v0_1
