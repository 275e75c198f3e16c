// repeat<Count>: a loop whose index is a type.
#pragma once

#include "tenon/meta/host_device.hpp"
#include "tenon/meta/namespaces.hpp"

#include <type_traits>

namespace tenon::inline v0_1::ir {

// Calls f(0), ..., f(Count - 1) with the index as a type: an array indexed by it stays in registers. Written out, eight
// at a time: a fold over an index sequence would be a second function for the compiler in each of thousands of calls.
// If a body does not need a constant index, write [](int i) {..}: one function, while `auto i` is one for each index.
template <int Count, int First = 0, class F>
TENON_ALWAYS_INLINE constexpr void repeat(F f) {
  if constexpr (First < Count) f(std::integral_constant<int, First>{});
  if constexpr (First + 1 < Count) f(std::integral_constant<int, First + 1>{});
  if constexpr (First + 2 < Count) f(std::integral_constant<int, First + 2>{});
  if constexpr (First + 3 < Count) f(std::integral_constant<int, First + 3>{});
  if constexpr (First + 4 < Count) f(std::integral_constant<int, First + 4>{});
  if constexpr (First + 5 < Count) f(std::integral_constant<int, First + 5>{});
  if constexpr (First + 6 < Count) f(std::integral_constant<int, First + 6>{});
  if constexpr (First + 7 < Count) f(std::integral_constant<int, First + 7>{});
  if constexpr (First + 8 < Count) repeat<Count, First + 8>(f);
}

}  // namespace tenon::inline v0_1::ir
