// The bodies of parameter_entry.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE std::vector<std::size_t> parameter_entry::shape() const {
  std::vector<std::size_t> result{static_cast<std::size_t>(rows)};
  if (columns > 0) result.push_back(static_cast<std::size_t>(columns) / kernel_area());
  if (kernel_height > 0) result.push_back(static_cast<std::size_t>(kernel_height));
  if (kernel_width > 0) result.push_back(static_cast<std::size_t>(kernel_width));
  return result;
}

TENON_INLINE std::size_t parameter_entry::kernel_area() const {
  return static_cast<std::size_t>(std::max(kernel_height, 1)) *
         static_cast<std::size_t>(std::max(kernel_width, 1));
}

}  // namespace tenon::inline v0_1::detail
