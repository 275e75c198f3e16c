// repeat<Count>: a loop whose index is a type.
#pragma once

#include "tenon/meta/host_device.hpp"

#include <type_traits>
#include <utility>

namespace tenon {

// f(0), ..., f(Count - 1) with the index as a type: an array indexed by it stays in registers.
template <int Count, class F>
TENON_ALWAYS_INLINE constexpr void repeat(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) TENON_ALWAYS_INLINE {
    (f(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, Count>{});
}

}  // namespace tenon
