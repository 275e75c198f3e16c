// The bridge to xtensor: views of parameters and outputs as xtensor arrays, without a copy. The other direction needs no
// bridge: a session takes any xtensor expression as an input.
#pragma once

#if __has_include(<xtensor/containers/xadapt.hpp>)
#include <xtensor/containers/xadapt.hpp>
#else
#include <xtensor/xadapt.hpp>
#endif
#if __has_include(<xtensor/views/xstrided_view.hpp>)
#include <xtensor/views/xstrided_view.hpp>
#else
#include <xtensor/xstrided_view.hpp>
#endif

#include "tenon/tensor/view.hpp"

namespace tenon {

// An xtensor adaptor of Rank dimensions over the memory of v: valid as long as that memory is. Rank is checked.
template <std::size_t Rank, class T>
auto as_xtensor(const view<T>& v) {
  if (v.dimension() != Rank)
    throw std::invalid_argument("as_xtensor<" + std::to_string(Rank) + ">: the tensor has rank " + std::to_string(v.dimension()));
  std::array<std::size_t, Rank> shape{};
  std::array<std::ptrdiff_t, Rank> strides{};
  std::size_t reach = v.size() == 0 ? 0 : 1;
  for (std::size_t k = 0; k < Rank; ++k) {
    shape[k] = v.shape(k);
    strides[k] = v.shape(k) == 1 ? 0 : v.stride(k);  // xtensor's convention for axes of length one
    if (reach > 0) reach += (shape[k] - 1) * static_cast<std::size_t>(v.stride(k));
  }
  return xt::adapt(v.data(), reach, xt::no_ownership(), shape, strides);
}

}  // namespace tenon
