// A moving average of parameters (Polyak and Juditsky 1992, with exponential weights).
#pragma once

#include "tenon/backend/cpu/instruction_set.hpp"
#include "tenon/tensor/memory.hpp"

#include <cstddef>

namespace tenon::engine {
inline namespace TENON_INSTRUCTION_SET {

// average := decay average + (1 - decay) theta. It begins as theta, of `size` numbers.
template <class T>
void follow(memory<T>& average, const T* theta, std::size_t size, double decay, ir::characters graph) {
  const bool is_first = average.size() == 0;
  if (is_first) average = memory<T>(size, {"the average of the parameters", graph});
  T* const to = average.data();
  const T share = is_first ? T(1) : static_cast<T>(1 - decay);
  for (std::size_t k = 0; k < size; ++k) to[k] += share * (theta[k] - to[k]);
}

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::engine
